import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openServe, STORES, type OpenServe } from './support/open-serve.ts';
import { fillShop, SHOP_CONFIG } from './support/stored-shop.ts';
import { allShown, inspected, opened } from './support/visit.ts';

const FIELDS = ['#field-name', '#field-description', '#field-initial_message'] as const;

/** At once: Chromium types a text of 1 MB for minutes. */
async function pasted(page: Page, field: string, text: string): Promise<void> {
  await page.locator(field).evaluate((element, value) => {
    const area = element as unknown as { value: string; dispatchEvent(event: Event): void };
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(area), 'value') ?? {};
    set?.call(area, value);
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }, text);
}

describe.each(STORES)('faults while people write, with the %s store', (store) => {
  let serve: OpenServe;
  let ids: ReadonlyMap<string, string>;
  beforeAll(async () => {
    serve = await openServe({ store, auth: 'token', files: SHOP_CONFIG });
    ids = await fillShop(serve);
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  const signedIn = async (page: Page, token?: string) => {
    const value = await serve.cookie(token);
    await page.context().addCookies([{ name: 'assay_session', value, url: serve.url }]);
  };

  const openedAt = async (path: string, shows: string, token?: string) => {
    const page = await opened(serve.browser);
    await signedIn(page, token);
    await page.goto(`${serve.url}${path}`);
    await allShown(page, shows);
    return page;
  };

  const tokenOf = async (email: string) => {
    await serve.ask('POST', '/accounts', { email, role: 'member' });
    return String((await serve.ask('POST', '/tokens', { account: email, name: 'own' })).token);
  };

  const saved = async (page: Page, name: string) => {
    await page.press('text="Save"', 'Enter');
    await page.waitForSelector(`h1:text-is("${name}")`);
  };

  test('two tabs of one person edit a case: the second save shows both texts, and no text is lost', async () => {
    const path = `/cases/${ids.get('Plain 1')}/edit`;
    const context = await serve.browser.newContext();
    const tabs = [await context.newPage(), await context.newPage()] as const;
    await signedIn(tabs[0]);
    for (const tab of tabs) {
      await tab.goto(`${serve.url}${path}`);
      await tab.waitForSelector('#field-name');
    }
    await tabs[0].fill('#field-name', 'First tab');
    await tabs[1].fill('#field-name', 'Second tab');
    await tabs[1].fill('#field-description', 'Of the second tab');
    await saved(tabs[0], 'First tab');
    await tabs[1].press('text="Save"', 'Enter');
    await tabs[1].waitForSelector('#conflicts');
    const both = await tabs[1].locator('.problem .panel pre').allTextContents();
    await saved(tabs[1], 'Second tab');
    await context.close();
    expect(both).toEqual(['Second tab', 'First tab']);
    expect(await serve.ask('GET', `/test-cases/${ids.get('Plain 1')}`)).toMatchObject({
      name: 'Second tab',
      description: 'Of the second tab',
    });
  });

  test('two people edit different fields of a case at once: both changes are saved', async () => {
    const path = `/cases/${ids.get('Plain 2')}/edit`;
    const ann = await openedAt(path, '#field-name');
    const bob = await openedAt(path, '#field-name', await tokenOf('bob@example.com'));
    await ann.fill('#field-description', 'By Ann');
    await bob.fill('#field-initial_message', 'By Bob');
    await saved(ann, 'Plain 2');
    await bob.press('text="Save"', 'Enter');
    await bob.waitForSelector('#conflicts');
    const shown = await Promise.all(FIELDS.map((field) => bob.inputValue(field)));
    await saved(bob, 'Plain 2');
    await Promise.all([ann.close(), bob.close()]);
    expect(shown).toEqual(['Plain 2', 'By Ann', 'By Bob']);
    expect(await serve.ask('GET', `/test-cases/${ids.get('Plain 2')}`)).toMatchObject({
      description: 'By Ann',
      initial_message: 'By Bob',
    });
  });

  test('a form stays as it was while the server is gone, and is saved when it is back', async () => {
    const page = await openedAt(`/cases/${ids.get('Plain 3')}/edit`, '#field-name');
    await page.fill('#field-name', 'Typed before');
    await serve.whileGone(async () => {
      await page.press('text="Save"', 'Enter');
      await page.waitForSelector('[role=alert]:has-text("Not saved")');
      await page.fill('#field-description', 'Typed meanwhile');
      expect(await inspected(page, `case-server-gone-${store}`)).toEqual([]);
    });
    await saved(page, 'Typed before');
    await page.close();
    expect(await serve.ask('GET', `/test-cases/${ids.get('Plain 3')}`)).toMatchObject({
      name: 'Typed before',
      description: 'Typed meanwhile',
    });
  });

  test('a session that is revoked on an open page takes nothing of what was typed', async () => {
    const { id, token } = await serve.ask('POST', '/tokens', { name: 'short', role: 'member' });
    const page = await openedAt('/agents/new', '#field-name', String(token));
    await page.fill('#field-name', 'typed');
    await page.fill('#field-config', '{"type": "http", "url": "https://agent.example/"}');
    await serve.ask('DELETE', `/tokens/${id}`);
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector('#token:focus');
    await page.keyboard.type(serve.token);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#field-name');
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector('h1:text-is("typed")');
    await page.close();
    const { data } = await serve.ask('GET', '/agents?limit=200');
    expect(data.map(({ name }: { readonly name: string }) => name)).toContain('typed');
  });

  test('a prompt of almost 1 MB is saved and shown, and a larger one is refused in words', async () => {
    const page = await openedAt('/agents/new', '#field-name');
    const line = 'You are the agent of a shop. '.repeat(10);
    const fits = Array.from({ length: 3300 }, () => line).join('\n');
    await page.fill('#field-name', `long-${store}`);
    await page.fill(
      '#field-config',
      '{"type": "openai-compatible", "baseUrl": "https://agent.example/", "model": "m"}',
    );
    await pasted(page, '#field-config-system', `${fits}${fits.slice(0, 100_000)}`);
    await page.press('text="Create"', 'Enter');
    const refused = await page.textContent('[role=alert]:has-text("Not saved")');
    await pasted(page, '#field-config-system', fits);
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector(`h1:text-is("long-${store}")`);
    await page.waitForSelector('text=You are the agent of a shop.');
    expect(await inspected(page, `agent-long-prompt-${store}`)).toEqual([]);
    await page.close();
    expect(refused).toBe('Not saved: the body has more than 1000000 bytes (send less in one request)');
  });
});

describe('a clock that is wrong', () => {
  let serve: OpenServe;
  beforeAll(async () => {
    serve = await openServe({ store: 'embedded', auth: 'token', files: SHOP_CONFIG });
    await fillShop(serve);
    await serve.ask('POST', '/runs', { select: { tag_any: ['smoke'] } });
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await serve.ask('POST', '/tokens', { name: 'an hour', expires_at: until });
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  const at = async (browser: Browser, time: string) => {
    const page = await opened(browser);
    await page.context().addCookies([{ name: 'assay_session', value: await serve.cookie(), url: serve.url }]);
    await page.clock.setFixedTime(new Date(time));
    return page;
  };

  test.each(['1970-01-02', '2099-06-01'])(
    'in a browser of %s changes nothing of what is told',
    async (time) => {
      const page = await at(serve.browser, time);
      await page.goto(`${serve.url}/settings`);
      await allShown(page, '#tokens');
      const told = await page.textContent('tr:has-text("an hour") td:nth-child(4)');
      await page.goto(`${serve.url}/trends`);
      await allShown(page, 'main table');
      const points = await page.locator('main tbody tr').count();
      await page.goto(`${serve.url}/cases/new`);
      await page.fill('#field-name', `Written in ${time}`);
      await page.press('text="Create"', 'Enter');
      await page.waitForSelector(`h1:text-is("Written in ${time}")`);
      await page.close();
      expect([told, points]).toEqual([expect.stringMatching(/^valid until /), 1]);
    },
  );
});
