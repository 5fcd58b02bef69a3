import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openServe, STORES, type OpenServe } from './support/open-serve.ts';
import { fillShop, SHOP_CASES } from './support/stored-shop.ts';
import { NOTHING_WRONG } from './support/nothing-wrong.ts';
import { inAllLooks, inspected, LOOKS, opened, type Visit } from './support/visit.ts';

const [LAMP = '', MARKUP = ''] = SHOP_CASES.map(({ name }) => name);

/** Where an element is in the window, in pixels. */
async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not shown`);
  return { top: box.y, bottom: box.y + box.height };
}

const focusOf = (page: Page) => page.evaluate<string | undefined>('document.activeElement?.id');

describe.each(STORES)('the editor of cases, with the %s store', (store) => {
  let serve: OpenServe;
  let ids: ReadonlyMap<string, string>;
  beforeAll(async () => {
    serve = await openServe({ store, auth: 'token' });
    ids = await fillShop(serve);
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  const openedIn = async (path: string, cookie?: string) => {
    const page = await opened(serve.browser);
    const value = cookie ?? (await serve.cookie());
    await page.context().addCookies([{ name: 'assay_session', value, url: serve.url }]);
    await page.goto(`${serve.url}${path}`);
    await page.waitForSelector('#field-name');
    return page;
  };

  const VISITS: readonly Visit[] = [
    { name: 'new-case', path: () => '/cases/new', shows: '#field-name' },
    { name: 'edit-case', path: () => `/cases/${ids.get(LAMP)}/edit`, shows: '#field-name' },
    { name: 'edit-no-case', path: () => '/cases/x/edit', shows: 'main [role=alert]' },
  ];

  // Pages look the same over both stores.
  test.each(store === 'embedded' ? VISITS : [])(
    '$name is shown without an error or a violation',
    async (visit) => {
      const cookie = await serve.cookie();
      expect(await inAllLooks(serve.browser, serve.url, { ...visit, cookie })).toEqual(NOTHING_WRONG);
    },
  );

  test.each(['light', 'phone'] as const)(
    'Save is within the window in the %s look, and covers no field that has the focus',
    async (look) => {
      const page = await openedIn(`/cases/${ids.get(LAMP)}/edit`);
      const { width, height } = LOOKS[look].viewport;
      await page.setViewportSize({ width, height });
      const isOpen = await page.locator('details:has(#field-tags)').getAttribute('open');
      await page.focus('#field-tool_mocks');
      await page.evaluate('scrollTo(0, 0)');
      const save = await boxOf(page, 'button.main');
      await page.focus('#field-evaluation_criteria_override');
      await page.keyboard.press('Tab');
      const [field, bar] = [await boxOf(page, '#field-tool_mocks'), await boxOf(page, '.save-bar')];
      await page.keyboard.press('Tab');
      const next = await page.evaluate<string>('document.activeElement.textContent');
      await page.close();
      expect([isOpen, next, save.bottom <= height, field.bottom <= bar.top]).toEqual([
        '',
        'Save',
        true,
        true,
      ]);
    },
  );

  test('what a case does not have is closed when it is edited', async () => {
    const { id } = await serve.ask('POST', '/test-cases', { name: 'Bare', initial_message: 'Hello' });
    const page = await openedIn(`/cases/${id}/edit`);
    const isOpen = await page.locator('details:has(#field-tags)').getAttribute('open');
    await page.close();
    expect(isOpen).toBe(null);
  });

  test('two mistakes are shown at their fields with the focus on the first, and the fixed case is found by its tag', async () => {
    const page = await openedIn('/cases/new');
    await page.press('summary:has-text("More")', 'Enter');
    await page.focus('#field-tags');
    await page.keyboard.type('by-hand');
    await page.focus('#field-user_context');
    await page.keyboard.type('{"order": x}');
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector('#field-name-wrong .wrong');
    await expect.poll(() => focusOf(page)).toBe('field-name');
    const wrong = await page.locator('.field:has([aria-invalid=true]) .wrong').allTextContents();
    expect(await inspected(page, 'case-two-faults')).toEqual([]);
    await page.keyboard.type('Written by hand');
    await page.fill('#field-user_context', '{"order": 7}');
    await page.fill('#field-tool_mocks', '[{"tool": "refund", "result": 1}]');
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector('h1:has-text("Written by hand")');
    const { pathname } = new URL(page.url());
    await page.close();
    expect(wrong).toEqual([
      expect.stringContaining('name'),
      'line 1, column 11: this is not JSON, expected a value',
    ]);
    const { data } = await serve.ask('GET', '/test-cases?tag_all=by-hand');
    expect(data).toMatchObject([{ name: 'Written by hand', user_context: { order: 7 } }]);
    expect(pathname).toBe(`/cases/${data[0]?.id}`);
    const mocks = await serve.ask('GET', `/test-cases/${data[0]?.id}/mocks`);
    expect(mocks.data).toMatchObject([{ tool: 'refund', result: 1 }]);
  });

  test('a first case needs three fields in plain words, and its page says what counts as passing', async () => {
    const page = await openedIn('/cases/new');
    const first = await page.locator('form .field > label:visible').allTextContents();
    await page.fill('#field-name', 'Three fields');
    await page.fill('#field-initial_message', 'My lamp broke.');
    await page.fill('#field-expected_outcomes', 'The refund was made.\nThe customer knows when.');
    await page.press('text=Show what counts as passing', 'Enter');
    await page.waitForSelector('li:text-is("The judge finds that each expected outcome holds.")');
    expect(await inspected(page, `case-three-fields-${store}`)).toEqual([]);
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector('h1:has-text("Three fields")');
    await page.waitForSelector('[aria-labelledby=passing] li');
    const passing = await page.locator('[aria-labelledby=passing] li').allTextContents();
    const outcomes = await page.textContent('section:has(> h2:text-is("Expected outcomes")) pre');
    expect(await inspected(page, `case-passing-${store}`)).toEqual([]);
    await page.close();
    const { data } = await serve.ask('GET', '/test-cases?search=Three fields');
    expect(first).toEqual(['Name', 'First message of the user', 'Expected outcomes', 'Most turns']);
    expect(passing[0]).toBe('The judge finds that each expected outcome holds.');
    expect(outcomes).toBe('The refund was made.\nThe customer knows when.');
    expect(data[0]?.expected_outcomes).toEqual({
      'The refund was made.': true,
      'The customer knows when.': true,
    });
  });

  test('a case that is saved without a change stays as it was', async () => {
    for (const name of [LAMP, MARKUP]) {
      const id = ids.get(name);
      const before = await serve.ask('GET', `/test-cases/${id}`);
      const mocks = await serve.ask('GET', `/test-cases/${id}/mocks`);
      const page = await openedIn(`/cases/${id}/edit`);
      await page.press('text="Save"', 'Enter');
      await page.waitForURL(`**/cases/${id}`);
      await page.close();
      const after = await serve.ask('GET', `/test-cases/${id}`);
      expect({ ...after, updated_at: '' }).toEqual({ ...before, updated_at: '' });
      expect(await serve.ask('GET', `/test-cases/${id}/mocks`)).toEqual(mocks);
    }
  });

  test('what somebody else changed in the meantime is shown next to the own text, with a choice', async () => {
    const id = ids.get('Plain 7');
    const page = await openedIn(`/cases/${id}/edit`);
    await page.fill('#field-name', 'Mine');
    await page.fill('#field-initial_message', 'My message');
    await serve.ask('PATCH', `/test-cases/${id}`, { name: 'Theirs', description: 'Their description' });
    await page.press('text="Save"', 'Enter');
    await page.waitForSelector('#conflicts');
    const panels = await page.locator('.problem .panel pre').allTextContents();
    const shown = await page.inputValue('#field-description');
    expect(await inspected(page, 'case-conflict')).toEqual([]);
    await page.press('text=Take the other name', 'Enter');
    await page.press('text="Save"', 'Enter');
    await page.waitForSelector('h1:has-text("Theirs")');
    await page.close();
    expect([panels, shown]).toEqual([['Mine', 'Theirs'], 'Their description']);
    expect(await serve.ask('GET', `/test-cases/${id}`)).toMatchObject({
      name: 'Theirs',
      description: 'Their description',
      initial_message: 'My message',
    });
  });

  test('an edit survives a reload, and can be discarded', async () => {
    const page = await openedIn(`/cases/${ids.get('Plain 8')}/edit`);
    await page.fill('#field-name', 'Edited');
    await page.reload();
    await page.waitForSelector('text=are here again');
    const restored = await page.inputValue('#field-name');
    await page.press('text=Discard them', 'Enter');
    const discarded = await page.inputValue('#field-name');
    await page.reload();
    await page.waitForSelector('#field-name');
    const notes = await page.locator('text=are here again').count();
    await page.close();
    expect([restored, discarded, notes]).toEqual(['Edited', 'Plain 8', 0]);
  });

  test('an edit survives a session that ends while it is saved', async () => {
    const { id: tokenId, token } = await serve.ask('POST', '/tokens', { name: 'short', role: 'member' });
    const id = ids.get('Plain 9');
    const page = await openedIn(`/cases/${id}/edit`, await serve.cookie(String(token)));
    await page.fill('#field-name', 'After signing in');
    await serve.ask('DELETE', `/tokens/${tokenId}`);
    await page.press('text="Save"', 'Enter');
    await page.waitForSelector('#token:focus');
    await page.keyboard.type(serve.token);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#field-name');
    await page.press('text="Save"', 'Enter');
    await page.waitForSelector('h1:has-text("After signing in")');
    await page.close();
    expect((await serve.ask('GET', `/test-cases/${id}`)).name).toBe('After signing in');
  });
});
