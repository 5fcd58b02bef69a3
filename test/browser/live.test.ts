import { afterEach, beforeEach, expect, test } from 'vitest';

import { openView, type OpenView } from './support/open-view.ts';
import { shopRuns, type ShopRuns } from './support/shop-runs.ts';
import { opened } from './support/visit.ts';

let view: OpenView<ShopRuns>;

beforeEach(async () => {
  view = await openView(shopRuns);
});

afterEach(async () => {
  await view?.[Symbol.asyncDispose]();
});

test('a run that goes on is followed to its end, by one feed and without asking for it again and again', async () => {
  const page = await opened(view.browser);
  const feeds: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/feed')) feeds.push(new URL(request.url()).search);
  });
  await page.goto(`${view.url}/runs/${view.runs.running}`);
  await page.waitForSelector('text=37 of 96 trials done');
  await view.runs.endTrials([38, 39, 40]);
  await page.waitForSelector('text=40 of 96 trials done');
  await page.waitForSelector('table[aria-rowcount="41"]', { state: 'attached' });
  await view.runs.endTrials(Array.from({ length: 56 }, (_, at) => at + 41));
  await view.runs.complete();
  await page.waitForSelector('.state.completed');
  await page.waitForSelector('progress', { state: 'detached' });
  await page.close();
  expect(feeds).toEqual([`?run=${view.runs.running}`]);
});

test('the overview follows all runs, and a page that is left closes its feed', async () => {
  const page = await opened(view.browser);
  const open = new Set<object>();
  page.on('request', (request) => {
    if (request.url().includes('/feed')) open.add(request);
  });
  page.on('requestfailed', (request) => open.delete(request));
  await page.goto(view.url);
  await page.waitForSelector('text=37 of 96 trials');
  await view.runs.endTrials([38]);
  await page.waitForSelector('text=38 of 96 trials');
  await page.click('nav >> text=Compare');
  await page.waitForSelector('main form');
  await expect.poll(() => open.size).toBe(0);
  await page.close();
});

test('a hidden tab follows nothing, and catches up when it is shown again', async () => {
  const page = await opened(view.browser);
  const isOpen = page.waitForResponse((response) => response.url().includes('/feed'));
  await page.goto(`${view.url}/runs/${view.runs.running}`);
  await page.waitForSelector('text=37 of 96 trials done');
  await isOpen;
  const feed = page.waitForEvent('requestfailed', (request) => request.url().includes('/feed'));
  await page.evaluate(visibility('hidden'));
  await feed;
  await view.runs.endTrials([38, 39]);
  const again = page.waitForRequest((request) => request.url().includes('/feed'));
  await page.evaluate(visibility('visible'));
  await again;
  await page.waitForSelector('text=39 of 96 trials done');
  await page.waitForSelector('table[aria-rowcount="40"]', { state: 'attached' });
  const shown = await page.textContent('.figures');
  await page.close();
  expect(shown).toContain('39 of 96 trials done');
});

test('a run that is removed while it is shown says so, and what was shown stays', async () => {
  const page = await opened(view.browser);
  await page.goto(`${view.url}/runs/${view.runs.running}`);
  await page.waitForSelector('text=37 of 96 trials done');
  view.runs.remove();
  const told = await page.textContent('main [role=alert]');
  const shown = await page.textContent('.figures');
  await page.close();
  expect([told, shown]).toEqual([
    expect.stringContaining('the run may have been removed'),
    expect.stringContaining('37 of 96 trials done'),
  ]);
});

test('a page goes on by itself when the server comes back', async () => {
  const page = await opened(view.browser);
  await page.goto(`${view.url}/runs/${view.runs.running}`);
  await page.waitForSelector('text=37 of 96 trials done');
  const start = await view.stopped();
  await view.runs.endTrials([38]);
  await start();
  await page.waitForSelector('text=38 of 96 trials done');
  // The list is asked for again apart from the run.
  await expect.poll(() => page.getAttribute('table[aria-rowcount]', 'aria-rowcount')).toBe('39');
  await page.close();
});

/** Puts the tab behind another one, or in front of it, as far as the page can tell. */
function visibility(state: 'hidden' | 'visible'): string {
  return `Object.defineProperty(document, 'hidden', { configurable: true, value: ${state === 'hidden'} });
    document.dispatchEvent(new Event('visibilitychange'))`;
}
