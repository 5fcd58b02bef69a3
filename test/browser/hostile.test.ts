import { readdirSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { hostileRuns, HOSTILE } from './support/hostile-runs.ts';
import { openView, type OpenView } from './support/open-view.ts';
import { opened, shown, type Shown, type Visit } from './support/visit.ts';

interface HostileRuns {
  readonly ids: readonly string[];
}

let view: OpenView<HostileRuns>;

beforeAll(async () => {
  view = await openView(async (folder) => {
    const runs = await hostileRuns(folder);
    return {
      ...runs,
      ids: readdirSync(folder)
        .filter((name) => /^2026.*Z-/.test(name))
        .toSorted(),
    };
  });
});

afterAll(async () => {
  await view?.[Symbol.asyncDispose]();
});

const idAt = (at: number) => () => view.runs.ids[at] ?? '';
const older = idAt(0);
const newer = idAt(1);
const unreadable = idAt(2);
const running = idAt(3);

const sides = () =>
  new URLSearchParams({ base: older(), candidate: newer(), test_case_id: `case ${HOSTILE}` });

const VISITS: readonly Visit[] = [
  { name: 'hostile-overview', path: () => '/', shows: 'td a[href^="/compare"]' },
  { name: 'hostile-runs', path: () => '/runs', shows: 'tbody tr:nth-child(4)' },
  { name: 'hostile-run', path: () => `/runs/${newer()}`, shows: '.bars' },
  { name: 'hostile-running', path: () => `/runs/${running()}`, shows: 'progress' },
  { name: 'hostile-cost', path: () => `/runs/${newer()}/cost`, shows: '.bars' },
  { name: 'hostile-trial', path: () => `/runs/${newer()}/trials/1`, shows: '.transcript li' },
  { name: 'hostile-errored', path: () => `/runs/${newer()}/trials/157`, shows: '.problem' },
  { name: 'hostile-unreadable', path: () => `/runs/${unreadable()}`, shows: '.problem' },
  {
    name: 'hostile-compare',
    path: () => `/compare?base=${older()}&candidate=${newer()}`,
    shows: '.sentence',
  },
  {
    name: 'hostile-trials',
    path: () => `/compare/trials?${sides()}`,
    shows: 'section:nth-child(2) .transcript li',
  },
  { name: 'hostile-trends', path: () => '/trends', shows: '.chart canvas' },
  {
    name: 'hostile-address',
    path: () => `/runs?search=${encodeURIComponent(`${HOSTILE}?`)}`,
    shows: '.empty',
  },
  {
    name: 'hostile-grading',
    path: () => `/runs/${newer()}/trials/1?grading=${encodeURIComponent(HOSTILE)}`,
    shows: '[role=alert]',
  },
  {
    name: 'hostile-sides',
    path: () => `/compare?base=${encodeURIComponent(HOSTILE)}&candidate=${older()}`,
    shows: '[role=alert]',
  },
  {
    name: 'hostile-dates',
    path: () => `/trends?since=${encodeURIComponent(HOSTILE)}&line=${encodeURIComponent(HOSTILE)}`,
    shows: '.wrong',
  },
  { name: 'hostile-run-id', path: () => `/runs/${encodeURIComponent(HOSTILE)}`, shows: '[role=alert]' },
  {
    name: 'hostile-filter',
    path: () => `/runs/${newer()}?tag=${encodeURIComponent(HOSTILE)}`,
    shows: '[data-row]',
  },
];

describe.each(VISITS)('$name', (visit) => {
  let page: Shown;
  beforeAll(async () => {
    page = await shown(view.browser, view.url, visit);
  });
  afterAll(() => page?.[Symbol.asyncDispose]());

  // Colours are those of the other pages: their dark look is tried there.
  test.each(['light', 'phone'] as const)('has its content as text in %s', async (look) => {
    expect(await page.findings(look)).toEqual({
      complaints: [],
      violations: [],
      isWide: false,
      cut: [],
      made: 0,
      isRaw: false,
      title: expect.stringMatching(/ · assay$/) as string,
    });
  });
});

test('a line of 1 MB and everything that is folded stay text when they are opened', async () => {
  const page = await opened(view.browser);
  const refused: string[] = [];
  page.on('console', (message) => refused.push(message.text()));
  page.on('pageerror', (thrown) => refused.push(thrown.message));
  await page.goto(`${view.url}/runs/${newer()}/trials/1`);
  await page.waitForSelector('.transcript details');
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
  await page.click('.transcript button:has-text("Show all")');
  await page.waitForSelector('.transcript button:has-text("Show all")', { state: 'detached' });
  const longest = await page.evaluate<number>(
    "Math.max(...[...document.querySelectorAll('.transcript pre')].map((each) => each.textContent.length))",
  );
  const made = await page.evaluate<number>("document.querySelectorAll('main img, main script').length");
  const raw = await page.evaluate<boolean>(
    "/[\\u202e\\u001b]/.test(document.querySelector('main').textContent)",
  );
  await page.close();
  expect({ longest, made, raw, refused }).toEqual({ longest: 1_000_000, made: 0, raw: false, refused: [] });
});
