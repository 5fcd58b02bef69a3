import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { held, lostAnswer } from './support/held.ts';
import { openServe, type OpenServe } from './support/open-serve.ts';
import { fillShop } from './support/stored-shop.ts';
import { opened } from './support/visit.ts';

let serve: OpenServe;
let ids: ReadonlyMap<string, string>;
beforeAll(async () => {
  serve = await openServe({ store: 'embedded', auth: 'token' });
  ids = await fillShop(serve);
});
afterAll(async () => {
  await serve?.[Symbol.asyncDispose]();
});

const openedIn = async (path: string, token?: string) => {
  const page = await opened(serve.browser);
  const value = await serve.cookie(token);
  await page.context().addCookies([{ name: 'assay_session', value, url: serve.url }]);
  await page.goto(`${serve.url}${path}`);
  await page.waitForSelector('#field-name');
  return page;
};

const signIn = async (page: Page, token: string) => {
  await page.waitForSelector('#token:focus');
  await page.keyboard.type(token);
  await page.keyboard.press('Enter');
};

const tokenOf = async (email: string) => {
  const account = await serve.ask('POST', '/accounts', { email, role: 'member' });
  const { id, token } = await serve.ask('POST', '/tokens', {
    account: account.id,
    name: 'browser',
    role: 'member',
  });
  return { id: String(id), token: String(token) };
};

const named = async (name: string) =>
  (await serve.ask('GET', `/test-cases?search=${encodeURIComponent(name)}`)).data.length;

test('what is typed while a case is saved stays, and is saved next', async () => {
  const id = ids.get('Plain 20');
  const page = await openedIn(`/cases/${id}/edit`);
  const saving = await held(page, 'PATCH', `**/test-cases/${id}`);
  await page.fill('#field-name', 'First part');
  await page.press('text="Save"', 'Enter');
  const sent = (await saving.asked).postDataJSON();
  await page.focus('#field-description');
  await page.keyboard.type('second part');
  saving.release();
  await page.waitForSelector('text=What you typed meanwhile is not saved yet.');
  const first = await serve.ask('GET', `/test-cases/${id}`);
  await page.press('text="Save"', 'Enter');
  await page.waitForSelector('h1:has-text("First part")');
  await page.close();
  expect([sent, first.name, first.description]).toEqual([{ name: 'First part' }, 'First part', null]);
  expect((await serve.ask('GET', `/test-cases/${id}`)).description).toBe('second part');
});

test('what is typed while a case is made is there when it is edited', async () => {
  const page = await openedIn('/cases/new');
  const making = await held(page, 'POST', /test-cases\/import/);
  await page.fill('#field-name', 'Made early');
  await page.press('text="Create"', 'Enter');
  await making.asked;
  await page.press('summary:has-text("More")', 'Enter');
  await page.fill('#field-description', 'typed later');
  making.release();
  await page.waitForURL('**/edit');
  await page.waitForSelector('text=are here again');
  const typed = await page.inputValue('#field-description');
  await page.press('text="Save"', 'Enter');
  await page.waitForSelector('h1:has-text("Made early")');
  await page.goto(`${serve.url}/cases/new`);
  const next = await page.inputValue('#field-name');
  await page.close();
  const { data } = await serve.ask('GET', '/test-cases?search=Made early');
  expect([typed, next, data.map((each) => each.description)]).toEqual(['typed later', '', ['typed later']]);
});

test('a second press makes no second case, and neither does a repeat after a lost answer', async () => {
  const page = await openedIn('/cases/new');
  await page.fill('#field-name', 'Pressed twice');
  await page.evaluate(
    '(() => { const form = document.querySelector("form.stack"); form.requestSubmit(); form.requestSubmit(); })()',
  );
  await page.waitForSelector('h1:has-text("Pressed twice")');
  await page.goto(`${serve.url}/cases/new`);
  await page.waitForSelector('#field-name');
  await lostAnswer(page, 'POST', /test-cases\/import/);
  await page.fill('#field-name', 'Answer was lost');
  await page.press('text="Create"', 'Enter');
  await page.waitForSelector('text=Not saved');
  const lost = await named('Answer was lost');
  await page.reload();
  await page.waitForSelector('text=are here again');
  await page.press('text="Create"', 'Enter');
  await page.waitForSelector('h1:has-text("Answer was lost")');
  await page.close();
  expect([await named('Pressed twice'), lost, await named('Answer was lost')]).toEqual([1, 1, 1]);
});

test('a draft that another case was made of meanwhile becomes a case of its own', async () => {
  const page = await openedIn('/cases/new');
  await lostAnswer(page, 'POST', /test-cases\/import/);
  await page.fill('#field-name', 'Variant one');
  await page.press('text="Create"', 'Enter');
  await page.waitForSelector('text=Not saved');
  await page.fill('#field-name', 'Variant two');
  await page.press('text="Create"', 'Enter');
  await page.waitForSelector('h1:has-text("Variant two")');
  await page.close();
  expect([await named('Variant one'), await named('Variant two')]).toEqual([1, 1]);
});

test('fields that are saved without their mocks are told, and the mocks stay as a draft', async () => {
  const id = ids.get('Plain 21');
  const page = await openedIn(`/cases/${id}/edit`);
  const mocks = `**/test-cases/${id}/mocks`;
  await page.route(mocks, (route, request) =>
    request.method() === 'PUT' ? route.abort() : route.fallback(),
  );
  await page.fill('#field-name', 'With mocks');
  await page.fill('#field-tool_mocks', '[{"tool": "refund", "result": 1}]');
  await page.press('text="Save"', 'Enter');
  await page.waitForSelector('text=The fields are saved. The tool mocks are not saved yet.');
  const { name } = await serve.ask('GET', `/test-cases/${id}`);
  await page.unroute(mocks);
  await page.reload();
  await page.waitForSelector('text=are here again');
  await page.press('text="Save"', 'Enter');
  await page.waitForSelector('h1:has-text("With mocks")');
  await page.close();
  expect(name).toBe('With mocks');
  const { data } = await serve.ask('GET', `/test-cases/${id}/mocks`);
  expect(data).toMatchObject([{ tool: 'refund', result: 1 }]);
});

test('an answer that comes after its writer has left does not lead away', async () => {
  const id = ids.get('Plain 22');
  const page = await openedIn(`/cases/${id}/edit`);
  const saving = await held(page, 'PATCH', `**/test-cases/${id}`);
  await page.fill('#field-name', 'Saved from afar');
  await page.press('text="Save"', 'Enter');
  await saving.asked;
  await page.click('nav >> text=Trends');
  await page.waitForURL('**/trends');
  await page.waitForSelector('h1:has-text("Trends")');
  const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
  saving.release();
  await (await answered).finished();
  await page.click('nav >> text=Runs');
  await page.waitForSelector('h1:has-text("Runs")');
  const { pathname } = new URL(page.url());
  await page.goto(`${serve.url}/cases/${id}/edit`);
  await page.waitForSelector('#field-name');
  const again = [await page.inputValue('#field-name'), await page.locator('text=are here again').count()];
  await page.close();
  expect([pathname, ...again]).toEqual(['/runs', 'Saved from afar', 0]);
});

test('an edit is there again after a look at another page', async () => {
  const page = await openedIn(`/cases/${ids.get('Plain 23')}/edit`);
  await page.evaluate(`(() => {
    const field = document.querySelector('#field-name');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, 'Typed fast');
    field.dispatchEvent(new Event('input', { bubbles: true }));
    document.querySelector('.path a').click();
  })()`);
  await page.waitForSelector('h1:has-text("Plain 23")');
  await page.click('text="Edit"');
  await page.waitForSelector('text=are here again');
  const typed = await page.inputValue('#field-name');
  await page.close();
  expect(typed).toBe('Typed fast');
});

test('another account that signs in does not find the edit, and signing out clears the tab', async () => {
  const [ben, cat] = [await tokenOf('ben@example.com'), await tokenOf('cat@example.com')];
  const page = await openedIn(`/cases/${ids.get('Plain 24')}/edit`, ben.token);
  await page.fill('#field-name', 'A secret of Ben');
  await serve.ask('DELETE', `/tokens/${ben.id}`);
  await page.press('text="Save"', 'Enter');
  await signIn(page, cat.token);
  await page.waitForSelector('.who:has-text("cat@example.com")');
  await page.waitForSelector('#field-name:visible');
  const ofCat = await page.inputValue('#field-name');
  await page.press('text=Sign out', 'Enter');
  await page.waitForSelector('#token:focus');
  const left = await page.evaluate(
    "Object.keys(sessionStorage).filter((key) => key.startsWith('assay')).length",
  );
  await page.close();
  expect([ofCat, left]).toEqual(['Plain 24', 0]);
});

test('a number that would be rounded, and a key that is there twice, are told at their fields', async () => {
  const page = await openedIn(`/cases/${ids.get('Plain 25')}/edit`);
  await page.fill('#field-user_context', '{"order": 9007199254740993}');
  await page.fill('#field-expected_outcomes', '{"paid": true, "paid": false}');
  await page.press('text="Save"', 'Enter');
  await page.waitForSelector('#field-expected_outcomes-wrong .wrong');
  const wrong = await page.locator('.wrong').allTextContents();
  await page.close();
  expect(wrong).toEqual([
    'line 1, column 16: duplicate key "paid"',
    'line 1, column 11: this number cannot be kept exactly, put it in quotes',
  ]);
});
