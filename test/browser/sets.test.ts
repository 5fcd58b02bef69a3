import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openServe, STORES, type OpenServe } from './support/open-serve.ts';
import { fillShop, SHOP_CASES } from './support/stored-shop.ts';
import { NOTHING_WRONG } from './support/nothing-wrong.ts';
import { allShown, inAllLooks, inspected, opened, type Visit } from './support/visit.ts';

const [LAMP = '', MARKUP = '', GREETING = '', , LATER = ''] = SHOP_CASES.map(({ name }) => name);

const focusOf = (page: Page) =>
  page.evaluate<string | null>("document.activeElement?.getAttribute('aria-label')");
const orderOf = async (page: Page) => await page.locator('[data-row] .name').allTextContents();

/** Answers to an address come only after the call. */
async function heldBack(page: Page, address: RegExp): Promise<{ readonly answer: () => void }> {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route(address, async (route) => {
    await asked;
    await route.continue();
  });
  return { answer: () => answer() };
}

describe.each(STORES)('sets of the %s store', (store) => {
  let serve: OpenServe;
  let ids: ReadonlyMap<string, string>;
  beforeAll(async () => {
    serve = await openServe({ store, auth: 'token' });
    ids = await fillShop(serve);
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  const setOf = async (name: string, cases: readonly string[]) => {
    const { id } = await serve.ask('POST', '/case-sets', { name, description: `About <b>${name}</b>` });
    const members = cases.map((each, at) => ({ test_case_id: ids.get(each), repetitions: at + 1 }));
    await serve.ask('PUT', `/case-sets/${id}/members`, members);
    return String(id);
  };
  const membersOf = async (id: string) => {
    const { data } = await serve.ask('GET', `/case-sets/${id}/members`);
    const names = new Map([...ids].map(([name, of]) => [of, name]));
    return data.map((each: { readonly test_case_id: string; readonly repetitions: number }) => [
      names.get(each.test_case_id),
      each.repetitions,
    ]);
  };
  const openedAt = async (path: string, shows: string) => {
    const page = await opened(serve.browser);
    const value = await serve.cookie();
    await page.context().addCookies([{ name: 'assay_session', value, url: serve.url }]);
    await page.goto(`${serve.url}${path}`);
    await allShown(page, shows);
    return page;
  };

  test('a set is made, filled, put in order and saved by keyboard alone', async () => {
    const page = await openedAt('/sets', '.empty');
    await page.press('text=New set', 'Enter');
    await page.waitForSelector('#field-name');
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector('#field-name-wrong .wrong');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('field-name');
    await page.keyboard.type('Nightly');
    await page.keyboard.press('Enter');
    await page.waitForSelector('h1:has-text("Nightly")');
    await allShown(page, '#add-cases');
    for (const name of [LAMP, GREETING, 'Plain 12']) {
      await page.fill('input[type=search]', name);
      await page.press(`[aria-label="Add ${name}"]`, 'Enter');
    }
    await page.press('[aria-label="Move Plain 12 up"]', 'Enter');
    await page.press('[aria-label="Move Plain 12 up"]', 'Enter');
    await expect.poll(() => orderOf(page)).toEqual(['Plain 12', LAMP, GREETING]);
    const focused = await focusOf(page);
    await page.focus('[aria-label="Repetitions of Greeting"]');
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => orderOf(page)).toEqual(['Plain 12', GREETING, LAMP]);
    await page.fill('[aria-label="Repetitions of Greeting"]', '0');
    await page.press('text="Save members"', 'Enter');
    await page.waitForSelector('th .wrong');
    const wrong = await page.textContent('th .wrong');
    expect(await inspected(page, `set-wrong-${store}`)).toEqual([]);
    await page.fill('[aria-label="Repetitions of Greeting"]', '3');
    await page.press('text="Save members"', 'Enter');
    await page.waitForSelector('text="Saved."');
    expect(await inspected(page, `set-saved-${store}`)).toEqual([]);
    const id = new URL(page.url()).pathname.split('/')[2] ?? '';
    await page.close();
    expect([focused, wrong]).toEqual(['Move Plain 12 up', 'must be at least 1']);
    expect(await membersOf(id)).toEqual([
      ['Plain 12', 1],
      [GREETING, 3],
      [LAMP, 1],
    ]);
    expect(await serve.ask('GET', `/case-sets/${id}`)).toMatchObject({ name: 'Nightly', version: 2 });
  });

  test('a member is dragged to its place, and another one is removed', async () => {
    const id = await setOf('Dragged', [LAMP, GREETING, 'Plain 1']);
    const page = await openedAt(`/sets/${id}`, 'tbody tr:nth-child(3)');
    const middle = async (row: number) => {
      const box = await page.locator('.drag').nth(row).boundingBox();
      return { x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 };
    };
    const [from, to] = [await middle(0), await middle(2)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.waitForSelector('.drop-below');
    await page.mouse.up();
    await expect.poll(() => orderOf(page)).toEqual([GREETING, 'Plain 1', LAMP]);
    await page.press('[aria-label="Remove Plain 1"]', 'Enter');
    await expect.poll(() => focusOf(page)).toBe(`Remove ${LAMP}`);
    await page.press('text="Save members"', 'Enter');
    await page.waitForSelector('text="Saved."');
    await page.close();
    expect(await membersOf(id)).toEqual([
      [GREETING, 2],
      [LAMP, 1],
    ]);
  });

  test('members that somebody else saved meanwhile are shown beside the own ones', async () => {
    const id = await setOf('Two people', [LAMP, GREETING]);
    const page = await openedAt(`/sets/${id}`, 'tbody tr:nth-child(2)');
    await page.press(`[aria-label="Move ${GREETING} up"]`, 'Enter');
    await serve.ask('PATCH', `/case-sets/${id}`, { name: 'Two people, renamed' });
    const { answer } = await heldBack(page, /test-cases\?.*set=/);
    await page.reload();
    await page.waitForSelector('text=are here again');
    await serve.ask('PUT', `/case-sets/${id}/members`, [{ test_case_id: ids.get('Plain 5') }]);
    await page.press('text="Save members"', 'Enter');
    await page.waitForSelector('.panel li:has-text("Plain 5")');
    expect(await inspected(page, `set-conflict-${store}`)).toEqual([]);
    const panels = await page.locator('.panel').allTextContents();
    answer();
    await page.press('text="Save members"', 'Enter');
    await page.waitForSelector('text="Saved."');
    await page.close();
    expect(panels).toEqual([`Yours${GREETING} × 2${LAMP} × 1`, 'Saved by somebody elsePlain 5 × 1']);
    expect(await membersOf(id)).toEqual([
      [GREETING, 2],
      [LAMP, 1],
    ]);
  });

  test('a name that somebody else changed meanwhile is shown beside the own one', async () => {
    const id = await setOf('First name', []);
    const page = await openedAt(`/sets/${id}/edit`, '#field-name');
    await page.fill('#field-name', 'Mine');
    await serve.ask('PATCH', `/case-sets/${id}`, { name: 'Theirs', description: 'Their description' });
    await page.press('text="Save"', 'Enter');
    await page.waitForSelector('#conflicts');
    const panels = await page.locator('.problem .panel pre').allTextContents();
    expect(await inspected(page, `set-name-conflict-${store}`)).toEqual([]);
    await page.press('text="Save"', 'Enter');
    await page.waitForSelector('h1:has-text("Mine")');
    await page.close();
    expect(panels).toEqual(['Mine', 'Theirs']);
    expect(await serve.ask('GET', `/case-sets/${id}`)).toMatchObject({
      name: 'Mine',
      description: 'Their description',
    });
  });

  test('a set is archived, found among the archived ones, and taken back', async () => {
    const id = await setOf('Old set', [GREETING]);
    const page = await openedAt(`/sets/${id}`, 'tbody tr');
    await page.press('text="Archive"', 'Enter');
    await page.waitForSelector('text="Take back"');
    await page.goto(`${serve.url}/sets?archived=true`);
    await page.press('[data-row]:has-text("Old set")', 'Enter');
    await page.press('text="Take back"', 'Enter');
    await page.waitForSelector('text="Archive"');
    await page.close();
    expect((await serve.ask('GET', `/case-sets/${id}`)).archived_at).toBe(null);
  });

  test('selected cases are added to a set from their list, which keeps its filters', async () => {
    const id = await setOf('From the list', ['Plain 20']);
    const page = await openedAt('/cases?tag_any=["plain"]', 'tbody tr:nth-child(9)');
    for (const name of ['Plain 1', 'Plain 2']) await page.check(`[aria-label="Select ${name}"]`);
    await page.selectOption('label:has-text("Into set") select', id);
    await page.press('text="Add to set"', 'Enter');
    await page.waitForSelector('text=2 of 2 added to “From the list”.');
    const { search } = new URL(page.url());
    await page.close();
    expect(decodeURIComponent(search)).toBe('?tag_any=["plain"]');
    expect(await membersOf(id)).toEqual([
      ['Plain 20', 1],
      ['Plain 1', 1],
      ['Plain 2', 1],
    ]);
  });

  test('a viewer sees the order, and nothing that changes it', async () => {
    const id = await setOf('Only read', [GREETING, LAMP]);
    const { token } = await serve.ask('POST', '/tokens', { name: 'viewer', role: 'viewer' });
    const page = await opened(serve.browser);
    const value = await serve.cookie(String(token));
    await page.context().addCookies([{ name: 'assay_session', value, url: serve.url }]);
    await page.goto(`${serve.url}/sets/${id}`);
    await allShown(page, 'tbody tr:nth-child(2)');
    const buttons = await page.locator('main button').allTextContents();
    const order = await orderOf(page);
    await page.close();
    expect([buttons, order]).toEqual([[], [GREETING, LAMP]]);
  });
});

describe('pages of sets', () => {
  let serve: OpenServe;
  let cookie: string;
  let [plain, markup] = ['', ''];
  beforeAll(async () => {
    serve = await openServe({ store: 'embedded', auth: 'token' });
    cookie = await serve.cookie();
    const ids = await fillShop(serve);
    const name = `<img src=x onerror=alert(1)> \u202E${'😀'.repeat(110)}`;
    plain = (await serve.ask('POST', '/case-sets', { name: 'Plain' })).id;
    markup = (await serve.ask('POST', '/case-sets', { name, description: '<b>bold</b> \u202E' })).id;
    const members = [MARKUP, LAMP, LATER].map((each) => ({ test_case_id: ids.get(each) }));
    await serve.ask('PUT', `/case-sets/${markup}/members`, members);
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  const VISITS: readonly Visit[] = [
    { name: 'sets', path: () => '/sets', shows: '[data-row]' },
    { name: 'sets-archived', path: () => '/sets?archived=true', shows: '.empty' },
    { name: 'set', path: () => `/sets/${markup}`, shows: 'tbody tr:nth-child(3)' },
    { name: 'set-empty', path: () => `/sets/${plain}`, shows: '.empty' },
    { name: 'new-set', path: () => '/sets/new', shows: '#field-name' },
    { name: 'edit-set', path: () => `/sets/${plain}/edit`, shows: '#field-name' },
    { name: 'no-set', path: () => '/sets/x', shows: 'main [role=alert]' },
    { name: 'loading-sets', path: () => '/sets', shows: 'main [role=status]', answers: 'never' },
    { name: 'loading-set', path: () => '/sets/x', shows: 'main [role=status]', answers: 'never' },
    { name: 'broken-sets', path: () => '/sets', shows: 'main [role=alert]', answers: 'broken' },
    { name: 'broken-set', path: () => '/sets/x', shows: 'main [role=alert]', answers: 'broken' },
  ];

  test.each(VISITS)('$name is shown without an error or a violation', async (visit) => {
    expect(await inAllLooks(serve.browser, serve.url, { ...visit, cookie })).toEqual(NOTHING_WRONG);
  });
});
