import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openServe, STORES, type OpenServe } from './support/open-serve.ts';
import { fillShop, ranShop, SHOP_CASES, SHOP_CONFIG } from './support/stored-shop.ts';
import { NOTHING_WRONG } from './support/nothing-wrong.ts';
import { allShown, inAllLooks, inspected, movedTo, opened, type Visit } from './support/visit.ts';

const [LAMP, MARKUP, GREETING] = SHOP_CASES.map(({ name }) => name);

describe.each(STORES)('cases of the %s store', (store) => {
  let serve: OpenServe;
  let ids: ReadonlyMap<string, string>;
  beforeAll(async () => {
    serve = await openServe({ store, auth: 'none', files: SHOP_CONFIG });
    ids = await fillShop(serve);
    await ranShop(serve, 'smoke');
    await ranShop(serve, 'smoke');
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  const idOf = (name = '') => ids.get(name) ?? '';

  const VISITS: readonly Visit[] = [
    { name: 'cases', path: () => '/cases', shows: 'tbody tr:nth-child(9)' },
    {
      name: 'cases-filtered',
      path: () => '/cases?tag_all=["smoke"]&tag_any=["normal","late"]&difficulty=hard&search=greet',
      shows: 'td a .verdict',
    },
    { name: 'no-cases-match', path: () => '/cases?search=nothing', shows: '.empty' },
    { name: 'cases-unknown-set', path: () => '/cases?set=nothing', shows: 'main [role=alert]' },
    { name: 'case', path: () => `/cases/${idOf(LAMP)}`, shows: '.empty' },
    { name: 'case-history', path: () => `/cases/${idOf(GREETING)}`, shows: 'td .verdict' },
    { name: 'case-markup', path: () => `/cases/${idOf(MARKUP)}`, shows: '.empty' },
    { name: 'no-case', path: () => '/cases/x', shows: 'main [role=alert]' },
    { name: 'loading-cases', path: () => '/cases', shows: 'main [role=status]', answers: 'never' },
    { name: 'loading-case', path: () => '/cases/x', shows: 'main [role=status]', answers: 'never' },
    { name: 'broken-cases', path: () => '/cases', shows: 'main [role=alert]', answers: 'broken' },
    { name: 'broken-case', path: () => '/cases/x', shows: 'main [role=alert]', answers: 'broken' },
  ];

  // Pages look the same over both stores.
  test.each(store === 'embedded' ? VISITS : [])(
    '$name is shown without an error or a violation',
    async (visit) => {
      expect(await inAllLooks(serve.browser, serve.url, visit)).toEqual(NOTHING_WRONG);
    },
  );

  test('are found by keyboard: search, tag, and the case with its history', async () => {
    const page = await opened(serve.browser);
    await page.goto(`${serve.url}/cases`);
    await page.waitForSelector('tbody tr:nth-child(9)');
    await page.keyboard.press('/');
    await page.keyboard.type('greet');
    await page.waitForURL('**search=greet**');
    await page.focus('label:has-text("All of these tags") input');
    await page.keyboard.type('smoke');
    await page.keyboard.press('Enter');
    await page.waitForURL('**tag_all=**');
    await page.waitForSelector('.chip:has-text("smoke")');
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1);
    await page.focus('.chip');
    await movedTo(page, 'j', '[data-row]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#history');
    await page.waitForSelector('tbody tr:nth-child(2)');
    const verdicts = await page.locator('td .verdict').allTextContents();
    const title = await page.title();
    await page.close();
    expect([title, verdicts]).toEqual([`${GREETING} · assay`, ['✓ passed', '✓ passed']]);
  });

  test('are all listed while the page is scrolled', async () => {
    const page = await opened(serve.browser);
    await page.goto(`${serve.url}/cases?tag_any=["plain"]`);
    await allShown(page, 'tbody tr:nth-child(9)');
    await expect
      .poll(async () => {
        await page.evaluate('scrollTo(0, document.body.scrollHeight)');
        return page.locator('text="Plain 120"').count();
      })
      .toBe(1);
    await page.close();
  });

  test('are tagged and archived, several at once, and exported', async () => {
    const page = await opened(serve.browser);
    await page.goto(`${serve.url}/cases?tag_any=["plain"]`);
    await page.check('[aria-label="Select Plain 3"]');
    await page.check('[aria-label="Select Plain 4"]');
    await page.fill('label:has-text("Tag") input >> nth=-1', 'picked');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=2 of 2 tagged with picked.');
    await page.goto(`${serve.url}/cases?tag_any=["picked"]`);
    await allShown(page, 'tbody tr:nth-child(2)');
    const [exported] = await Promise.all([
      page.waitForEvent('download'),
      page.press('text=Export this list', 'Enter'),
    ]);
    await page.check('[aria-label="Select Plain 3"]');
    await page.press('text="Archive"', 'Enter');
    await page.waitForSelector('text=1 of 1 archived.');
    await expect.poll(() => page.locator('[data-row]').allTextContents()).toEqual(['Plain 4']);
    const file = exported.suggestedFilename();
    await page.close();
    expect(file).toMatch(/\.jsonl$/);
    expect((await serve.ask('GET', `/test-cases/${idOf('Plain 3')}`)).status).toBe('archived');
    expect((await serve.ask('GET', `/test-cases/${idOf(GREETING)}`)).status).toBe('active');
  });

  test('are imported from a file, after its report', async () => {
    const page = await opened(serve.browser);
    await page.goto(`${serve.url}/cases`);
    await page.press('text="Import"', 'Enter');
    const file = (cases: readonly object[]) => ({
      name: 'cases.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(cases)),
    });
    await page.setInputFiles('#file', file([{ name: 'Imported' }, { name: '' }]));
    await page.press('text=Check the file', 'Enter');
    await page.waitForSelector('.problem li');
    const wrong = await page.locator('.problem li').allTextContents();
    expect(await inspected(page, `import-wrong-${store}`)).toEqual([]);
    await page.setInputFiles('#file', file([{ name: 'Imported', tags: ['imported'] }, { name: 'Second' }]));
    await page.press('text=Check the file', 'Enter');
    await page.waitForSelector('#report');
    expect(await inspected(page, `import-planned-${store}`)).toEqual([]);
    const before = await serve.ask('GET', '/test-cases?tag_all=imported');
    await page.press('text=Import it', 'Enter');
    await page.waitForSelector('h2:has-text("Imported")');
    const created = await page.locator('.figures .value').first().textContent();
    await page.close();
    const after = await serve.ask('GET', '/test-cases?tag_all=imported');
    expect([wrong, before.data.length, created, after.data.length]).toEqual([
      [expect.stringMatching(/^case 2, name: /)],
      0,
      '2',
      1,
    ]);
  });
});

describe('an empty store', () => {
  let serve: OpenServe;
  beforeAll(async () => {
    serve = await openServe({ store: 'embedded', auth: 'token' });
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  test('says how to begin', async () => {
    const cookie = await serve.cookie();
    const visit = { name: 'empty-cases', path: () => '/cases', shows: '.empty', cookie };
    expect(await inAllLooks(serve.browser, serve.url, visit)).toEqual(NOTHING_WRONG);
  });

  test('offers a viewer nothing that changes cases', async () => {
    const { id } = await serve.ask('POST', '/test-cases', { name: 'x' });
    const { token } = await serve.ask('POST', '/tokens', { name: 'viewer', role: 'viewer' });
    const page = await opened(serve.browser);
    await page.goto(`${serve.url}/cases`);
    await page.fill('#token', String(token));
    await page.keyboard.press('Enter');
    await allShown(page, '[data-row]');
    const offered = await page.locator('text=New case, input[type=checkbox]').count();
    await page.goto(`${serve.url}/cases/${id}`);
    await allShown(page, '#history');
    const edits = await page.locator('text="Edit"').count();
    await page.close();
    expect([offered, edits]).toEqual([0, 0]);
  });
});
