import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { complaintsOf, openBrowser, startedView, violationsOf, type StartedView } from './support/browser.ts';
import { hostileRuns } from './support/hostile-runs.ts';

const shots = fileURLToPath(new URL('../../.cache/screenshots/', import.meta.url));

let folder: string;
let runs: { readonly release: () => void };
let view: StartedView;
let browser: Browser;
let older: string;
let newer: string;
let running: string;

beforeAll(async () => {
  mkdirSync(shots, { recursive: true });
  folder = mkdtempSync(join(tmpdir(), 'assay-browser-'));
  runs = await hostileRuns(folder);
  [older = '', newer = '', running = ''] = readdirSync(folder)
    .filter((name) => /^2026.*Z-/.test(name) && !name.endsWith('b0b0b0'))
    .toSorted();
  view = await startedView(folder);
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await view?.[Symbol.asyncDispose]();
  runs?.release();
  rmSync(folder, { recursive: true, force: true });
});

const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1200, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1200, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const;

interface Visit {
  readonly name: string;
  readonly path: () => string;
  /** What is there once the page shows its content. */
  readonly shows: string;
}

const VISITS: readonly Visit[] = [
  { name: 'overview', path: () => '/', shows: 'td a[href^="/compare"]' },
  { name: 'runs', path: () => '/runs', shows: 'tbody tr:nth-child(4)' },
  { name: 'no-runs', path: () => '/runs?search=nothing', shows: 'p.quiet' },
  { name: 'run', path: () => `/runs/${newer}`, shows: '.attention p:not(:empty)' },
  { name: 'running', path: () => `/runs/${running}`, shows: 'progress' },
  { name: 'no-trials', path: () => `/runs/${newer}?search=nothing`, shows: 'text=No trial matches' },
  { name: 'trial', path: () => `/runs/${newer}/trials/1`, shows: '.transcript li' },
  { name: 'errored-trial', path: () => `/runs/${newer}/trials/157`, shows: '.problem' },
  { name: 'no-trial', path: () => `/runs/${newer}/trials/9999`, shows: '[role=alert]' },
  { name: 'unreadable', path: () => '/runs/20260304T100000Z-b0b0b0', shows: '.problem' },
  { name: 'compare', path: () => `/compare?base=${older}&candidate=${newer}`, shows: '.sentence' },
  { name: 'compare-empty', path: () => '/compare', shows: 'main form' },
  { name: 'compare-unknown', path: () => '/compare?base=none&candidate=none', shows: '[role=alert]' },
  { name: 'trends', path: () => '/trends', shows: '.chart canvas' },
  { name: 'no-page', path: () => '/nothing/here', shows: '[role=alert]' },
];

async function opened(look: keyof typeof LOOKS): Promise<Page> {
  const page = await browser.newPage({ ...LOOKS[look], reducedMotion: 'reduce', locale: 'en-US' });
  page.setDefaultTimeout(30_000);
  return page;
}

describe.each(Object.keys(LOOKS) as (keyof typeof LOOKS)[])('in %s', (look) => {
  test.each(VISITS)(
    '$name is shown without an error, a refusal or a violation',
    async ({ name, path, shows }) => {
      const page = await opened(look);
      const complaints = await complaintsOf(page, view.url);
      await page.goto(`${view.url}${path()}`);
      await page.waitForSelector(shows);
      // Asked by a selector: a function that waits is refused by the page's own policy.
      await page.waitForSelector('main [role=status]', { state: 'detached' });
      await page.screenshot({ path: join(shots, `${name}-${look}.png`), fullPage: true });
      const violations = await violationsOf(page);
      const title = await page.title();
      const isWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
      const made = await page.evaluate<number>(
        "document.querySelectorAll('main img, main script, main iframe').length",
      );
      await page.close();
      // An answer that is no success is told by the browser itself.
      const own = complaints.filter((each) => !/status of (404|422)/.test(each));
      expect({ own, violations, isWide, made, title }).toEqual({
        own: [],
        violations: [],
        isWide: false,
        made: 0,
        title: expect.stringMatching(/ · assay$/) as string,
      });
    },
  );
});

test('keys go from the runs to a turn of a trial and back', async () => {
  const page = await opened('light');
  await page.goto(`${view.url}/runs?state=completed`);
  await page.waitForSelector('[data-row]');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.attention [data-row]');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/runs/${newer}/trials/2?**`);
  await page.waitForSelector('.neighbours a');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.waitForURL('**/trials/3?**');
  await page.keyboard.press('k');
  await page.waitForURL('**/trials/2?**');
  await page.waitForSelector('#turn-2');
  await page.click('.evidence a:has-text("turn 2")');
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('turn-2');
  await page.keyboard.press('u');
  await page.waitForURL(`**/runs/${newer}?**`);
  await page.waitForSelector('input[type=search]');
  await page.keyboard.press('/');
  await page.keyboard.type('case 007');
  await page.waitForURL('**search=case*');
  await page.keyboard.press('Tab');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  const violations = await violationsOf(page);
  await page.screenshot({ path: join(shots, 'keys-light.png') });
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog:not([open])', { state: 'attached' });
  await page.close();
  expect(violations).toEqual([]);
});

test('two selected runs are compared, the older as base', async () => {
  const page = await opened('light');
  await page.goto(`${view.url}/runs`);
  await page.check(`[aria-label="Select run ${newer}"]`);
  await page.check(`[aria-label="Select run ${older}"]`);
  await page.click('text=Compare the two selected runs');
  await page.waitForSelector('.sentence');
  const { searchParams } = new URL(page.url());
  await page.close();
  expect([searchParams.get('base'), searchParams.get('candidate')]).toEqual([older, newer]);
});
