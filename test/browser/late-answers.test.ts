import { afterAll, beforeAll, expect, test } from 'vitest';

import { held, lostAnswer } from './support/held.ts';
import { openServe, type OpenServe } from './support/open-serve.ts';
import { fillShop, SHOP_CONFIG } from './support/stored-shop.ts';
import { allShown, inspected, opened } from './support/visit.ts';

let serve: OpenServe;
let ids: ReadonlyMap<string, string>;
beforeAll(async () => {
  serve = await openServe({ store: 'embedded', auth: 'none', files: SHOP_CONFIG });
  ids = await fillShop(serve);
});
afterAll(async () => {
  await serve?.[Symbol.asyncDispose]();
});

const openedAt = async (path: string) => {
  const page = await opened(serve.browser);
  await page.goto(`${serve.url}${path}`);
  return page;
};

const fileOf = (text: string) => ({
  name: 'cases.jsonl',
  mimeType: 'application/jsonl',
  buffer: Buffer.from(text),
});

const IMPORT = /test-cases\/import/;

test('a report of an import is not shown for another choice', async () => {
  const page = await openedAt('/cases/import');
  await page.setInputFiles('#file', fileOf('{"name": "Held back"}'));
  const checking = await held(page, 'POST', IMPORT);
  await page.press('text=Check the file', 'Enter');
  await checking.asked;
  await page.selectOption('#conflict', 'replace');
  const answered = page.waitForResponse(IMPORT);
  checking.release();
  await (await answered).finished();
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  const reports = await page.locator('#report').count();
  await page.press('text=Check the file', 'Enter');
  await page.waitForSelector('#report');
  const asked = page.waitForRequest(IMPORT);
  await page.press('text=Import it', 'Enter');
  const { searchParams } = new URL((await asked).url());
  await page.waitForSelector('h2:has-text("Imported")');
  await page.close();
  expect([reports, searchParams.get('on_conflict')]).toEqual([0, 'replace']);
});

test('an import whose answer was lost is told as unknown, and a repeat imports nothing twice', async () => {
  const page = await openedAt('/cases/import');
  await page.setInputFiles('#file', fileOf('{"name": "Lost"}'));
  await page.press('text=Check the file', 'Enter');
  await page.waitForSelector('#report');
  await lostAnswer(page, 'POST', IMPORT);
  await page.press('text=Import it', 'Enter');
  await page.waitForSelector('text=It is unknown whether the file was imported.');
  expect(await inspected(page, 'import-unknown')).toEqual([]);
  await page.press('button:has-text("Import it")', 'Enter');
  await page.waitForSelector('h2:has-text("Imported")');
  await page.close();
  expect((await serve.ask('GET', '/test-cases?search=Lost')).data.length).toBe(1);
});

test('problems that the server only counts are counted', async () => {
  const page = await openedAt('/cases/import');
  await page.setInputFiles('#file', fileOf('{"name": ""}\n'.repeat(5000)));
  await page.press('text=Check the file', 'Enter');
  const told = await page.textContent('.problem p');
  const listed = await page.locator('.problem li').count();
  await page.close();
  expect([told, listed]).toEqual(['5,000 problems: nothing was imported. The first 100 are:', 100]);
});

test('a plan is not shown for another run, and its start whose answer was lost starts one run', async () => {
  const page = await openedAt('/runs/new?tag_any=["smoke"]');
  await page.waitForSelector('#plan');
  const planning = await held(page, 'POST', '**/api/v1/runs');
  const repetitions = 'label:has-text("Repetitions") input';
  await page.fill(repetitions, '2');
  await page.keyboard.press('Enter');
  await planning.asked;
  await page.fill(repetitions, '3');
  const plans = await page.locator('#plan').count();
  planning.release();
  await page.waitForSelector('#plan');
  const trials = await page.locator('.figures .value').first().textContent();
  await lostAnswer(page, 'POST', '**/api/v1/runs');
  await page.press('text=Start this run', 'Enter');
  await page.waitForSelector('text=It is unknown whether this run started.');
  await page.press('text=Start this run', 'Enter');
  await page.waitForURL(/\/runs\/2[^/]+$/);
  await page.close();
  expect([plans, trials, (await serve.ask('GET', '/runs')).data.length]).toEqual([0, '6', 1]);
});

test('cases that could not be changed stay selected, with the reason', async () => {
  const page = await openedAt('/cases?tag_any=["plain"]');
  await allShown(page, 'tbody tr:nth-child(9)');
  for (const name of ['Plain 3', 'Plain 4']) await page.check(`[aria-label="Select ${name}"]`);
  const id = ids.get('Plain 4');
  await serve.ask('PATCH', `/test-cases/${id}`, { description: 'changed meanwhile' });
  await page.fill('label:has-text("Tag") input >> nth=-1', 'picked');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=1 of 2 tagged with picked. The others are still selected. “Plain 4”: ');
  const selected = await page
    .locator('input:checked')
    .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
  await page.fill('label:has-text("Tag") input >> nth=-1', 'picked');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=1 of 1 tagged with picked.');
  await page.close();
  expect(selected).toEqual(['Select Plain 4']);
  expect((await serve.ask('GET', '/test-cases?tag_all=picked')).data.length).toBe(2);
});

test('two filters that are chosen at once are both in the address', async () => {
  const page = await openedAt('/cases');
  await allShown(page, 'tbody tr:nth-child(9)');
  await page.evaluate(`(() => {
    for (const [title, value] of [['Status', 'any'], ['Difficulty', 'hard']]) {
      const label = [...document.querySelectorAll('label')].find((each) => each.textContent.startsWith(title));
      const field = label.querySelector('select');
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(field, value);
      field.dispatchEvent(new Event('change', { bubbles: true }));
    }
  })()`);
  await page.waitForURL('**difficulty=hard**');
  const { search } = new URL(page.url());
  await page.close();
  expect(search).toBe('?status=any&difficulty=hard');
});

test('a page of a list that failed is asked for again on demand', async () => {
  const page = await opened(serve.browser);
  let asked = 0;
  await page.route(/test-cases\?.*cursor=/, async (route) => {
    asked += 1;
    await (asked <= 2 ? route.abort() : route.fallback());
  });
  await page.goto(`${serve.url}/cases?tag_any=["plain"]`);
  await allShown(page, 'tbody tr:nth-child(9)');
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await page.waitForSelector('text=The rest of the list could not be loaded');
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  const before = asked;
  await page.press('text=Try again', 'Enter');
  await expect
    .poll(async () => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      return page.locator('text="Plain 120"').count();
    })
    .toBe(1);
  await page.close();
  // With the one repeat of every request.
  expect([before, asked]).toEqual([2, 3]);
});
