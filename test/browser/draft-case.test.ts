import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openServe, STORES, type OpenServe } from './support/open-serve.ts';
import { fillShop, ranShop, SHOP_CONFIG } from './support/stored-shop.ts';
import { allShown, inspected, opened } from './support/visit.ts';

describe.each(STORES)('a draft case of a trial, with the %s store', (store) => {
  let serve: OpenServe;
  beforeAll(async () => {
    serve = await openServe({ store, auth: 'none', files: SHOP_CONFIG });
    await fillShop(serve);
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  test('opens in the editor, is previewed before it is saved, and survives a reload', async () => {
    const run = await ranShop(serve, 'smoke');
    const page = await opened(serve.browser);
    await page.goto(`${serve.url}/runs/${run}/trials/1`);
    await allShown(page, 'h1:text-is("Greeting")');
    await page.press('text=Make a draft case of this trial', 'Enter');
    await page.waitForSelector('#field-name');
    await page.fill('#field-expected_outcomes', '{"greeted": "the user"');
    await page.press('text=Show what counts as passing', 'Enter');
    await page.waitForSelector('text=There is no preview. Expected outcomes: line 1');
    await page.fill('#field-expected_outcomes', '{"greeted": "the user was greeted"}');
    await page.press('text=Show what counts as passing', 'Enter');
    await page.waitForSelector('pre:has-text(\'- "greeted": "the user was greeted"\')');
    await page.waitForSelector('text=Nothing: the user of the config is scripted.');
    expect(await inspected(page, `case-preview-${store}`)).toEqual([]);
    await page.fill('#field-name', 'Greeting again');
    await page.waitForSelector('text=The case was changed since. Show it again.');
    await page.reload();
    await page.waitForSelector('text=are here again');
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector('h1:text-is("Greeting again")');
    await page.press('text=Show what counts as passing', 'Enter');
    await page.waitForSelector('pre:has-text(\'- "greeted": "the user was greeted"\')');
    const id = new URL(page.url()).pathname.split('/')[2];
    await page.close();
    expect(await serve.ask('GET', `/test-cases/${id}`)).toMatchObject({
      name: 'Greeting again',
      status: 'draft',
      difficulty: 'hard',
      tags: ['from-run'],
      initial_message: 'Hello',
      expected_outcomes: { greeted: 'the user was greeted' },
    });
  });
});
