import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ModelServer } from '../../src/models/mock-server/server.ts';
import { startAgent, startJudge, type Agent } from '../e2e/support/talkers.ts';
import { openServe, STORES, type OpenServe } from './support/open-serve.ts';

const NAME = 'Refund of a lamp';

/** Moves the focus by Tab until it is on what has this text or this label. */
async function tabTo(page: Page, what: string): Promise<void> {
  for (let step = 0; step < 200; step += 1) {
    if (await page.evaluate<boolean>(`(${IS_ON})(${JSON.stringify(what)})`)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to “${what}”`);
}

const IS_ON = `(what) => {
  const { activeElement: at } = document;
  const label = at?.labels?.[0]?.textContent ?? at?.getAttribute('aria-label') ?? at?.textContent ?? '';
  return at !== document.body && label.trim().startsWith(what);
}`;

async function pressOn(page: Page, what: string, key = 'Enter'): Promise<void> {
  await tabTo(page, what);
  await page.keyboard.press(key);
}

async function typeInto(page: Page, what: string, text: string): Promise<void> {
  await tabTo(page, what);
  await page.keyboard.type(text);
}

describe.each(STORES)('from a case to a comparison, with the %s store', (store) => {
  let serve: OpenServe;
  let agent: Agent;
  let judge: ModelServer;
  let usual = 5;
  beforeAll(async () => {
    agent = await startAgent({});
    judge = await startJudge(() => ({ usual }));
    const config = {
      targets: { desk: { type: 'http', url: agent.url } },
      user: { type: 'scripted', messages: [] },
      judge: { model: 'bench/judge', metrics: [{ metric: 'response_delivery' }] },
      models: { bench: { baseUrl: `${judge.url}/v1` } },
    };
    serve = await openServe({ store, auth: 'none', files: { 'assay.config.json': config } });
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
    await agent?.[Symbol.asyncDispose]();
    await judge?.[Symbol.asyncDispose]();
  });

  /** Starts a run of the tag, follows it on its page, and gives its id. */
  const ranByKeyboard = async (page: Page) => {
    await page.waitForSelector('a:text-is("Run this list")');
    await pressOn(page, 'Run this list');
    await page.waitForSelector('h1:text-is("New run")');
    // The only target is chosen once it is known.
    await page.waitForSelector('.targets :checked');
    await typeInto(page, 'Repetitions', '4');
    await pressOn(page, 'More');
    await pressOn(page, 'Start even if costs', 'Space');
    await page.waitForSelector('#plan');
    await pressOn(page, 'Start this run');
    await page.waitForURL(/\/runs\/2[^/]+$/);
    await page.waitForSelector('.state.completed');
    return new URL(page.url()).pathname.split('/')[2] ?? '';
  };

  test('everything is done by keyboard, and the dashboard says what assay compare says', async () => {
    const page = await serve.browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${serve.url}/cases`);
    await page.waitForSelector('a:text-is("New case")');
    await pressOn(page, 'New case');
    await page.waitForSelector('#field-name');
    await typeInto(page, 'First message', 'My lamp broke.');
    await pressOn(page, 'More');
    await typeInto(page, 'Tags', 'journey');
    await typeInto(page, 'What the user knows', '{');
    await pressOn(page, 'Create');
    await page.waitForSelector('#field-name:focus');
    const wrong = await page.locator('.field:has([aria-invalid=true]) label').allTextContents();
    await page.keyboard.type(NAME);
    await tabTo(page, 'What the user knows');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('}');
    await pressOn(page, 'Create');
    await page.waitForSelector(`h1:text-is("${NAME}")`);
    await pressOn(page, '← Cases');
    await page.waitForSelector('[data-row]');
    await typeInto(page, 'Any of these tags', 'journey');
    await page.keyboard.press('Enter');
    await page.waitForURL(/tag_any=/);
    await page.waitForSelector(`[data-row]:has-text("${NAME}")`);

    usual = 1;
    const worse = await ranByKeyboard(page);
    // A list that still changes could take the focus away.
    await page.waitForSelector('[aria-labelledby="attention"] li >> nth=3');
    await page.waitForSelector('table [data-row] >> nth=3');
    await pressOn(page, NAME);
    await page.waitForURL(/\/trials\/\d+/);
    await page.waitForSelector('.grade.failed');
    await pressOn(page, 'turn 1');
    await page.waitForSelector('#turn-1:focus');

    await pressOn(page, 'Cases');
    await page.waitForSelector('[data-row]');
    usual = 5;
    const better = await ranByKeyboard(page);
    await page.waitForSelector('a:text-is("Compare with the run before")');
    await pressOn(page, 'Compare with the run before');
    await page.waitForSelector('.sentence.lead');
    const sentence = await page.textContent('.sentence.lead');
    await page.close();
    const printed = await serve.assay('compare', worse, better, '--json');
    expect(wrong).toEqual(['Name', 'What the user knows']);
    expect(sentence).toBe((JSON.parse(printed) as { readonly sentence: string }).sentence);
    expect(sentence).toContain('1 of 1 case got better');
  });
});
