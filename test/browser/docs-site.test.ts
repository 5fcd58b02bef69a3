import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { root, scratchFolder } from '../docs/packed.ts';
import { complaintsOf, openBrowser, violationsOf } from './support/browser.ts';
import { KEEPS_SHOTS } from './support/visit.ts';

const shots = join(root, '.cache/screenshots');
const scratch = scratchFolder();
const site = join(scratch.path, 'site');
const address = pathToFileURL(site).href;

let browser: Browser;

beforeAll(async () => {
  mkdirSync(shots, { recursive: true });
  execFileSync(process.execPath, [join(root, 'scripts/docs.mjs'), '--out', site]);
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  scratch[Symbol.dispose]();
});

const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1200, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1200, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const;

async function opened(look: keyof typeof LOOKS): Promise<Page> {
  const page = await browser.newPage({ ...LOOKS[look], reducedMotion: 'reduce', locale: 'en-US' });
  page.setDefaultTimeout(120_000);
  return page;
}

/** One page of each kind; in light, every page but the files of the examples is visited. */
const KINDS = [
  'index.html',
  'changelog.html',
  'guide/believing.html',
  'reference/cli.html',
  'reference/config.html',
  'decisions/index.html',
  'examples/quickstart/index.html',
  'examples/quickstart/evals/index.html',
];

/** Visits pages in turn: what axe finds, whether they are too wide, and their headings of the first level. */
async function visited(look: keyof typeof LOOKS, names: readonly string[]) {
  const page = await opened(look);
  const complaints = await complaintsOf(page, address);
  const found = [];
  for (const name of names) {
    await page.goto(`${address}/${name}`);
    await page.waitForSelector('form[role=search]:not([hidden])');
    found.push({
      name,
      // A page of each kind is also visited in light.
      violations: await violationsOf(page, look === 'dark' ? 'colours' : 'everything'),
      isWide: await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth'),
      headings: await page.evaluate<number>("document.querySelectorAll('h1').length"),
    });
    if (KEEPS_SHOTS && KINDS.includes(name))
      await page.screenshot({ path: join(shots, `docs-${name.replaceAll('/', '-')}-${look}.png`) });
  }
  await page.close();
  return { found, complaints };
}

const asExpected = (names: readonly string[]) => ({
  found: names.map((name) => ({ name, violations: [], isWide: false, headings: 1 })),
  complaints: [],
});

/** All of their pages are visited. */
const FOLDERS = ['.', 'guide', 'reference', 'decisions'];

test.each(FOLDERS)(
  'every page of the folder %s is readable without a server, a violation or a request to another origin',
  async (folder) => {
    const names = readdirSync(join(site, folder))
      .filter((name) => name.endsWith('.html'))
      .map((name) => join(folder, name));
    expect(names.length).toBeGreaterThan(5);
    expect(await visited('light', names)).toEqual(asExpected(names));
  },
);

test.each(['light', 'dark', 'phone'] as const)('a page of each kind is readable in %s', async (look) => {
  const names = KINDS.filter((name) => look !== 'light' || !FOLDERS.includes(dirname(name)));
  expect(names.length).toBeGreaterThan(1);
  expect(await visited(look, names)).toEqual(asExpected(names));
});

test('the search finds a section by its words, and its result opens that section', async () => {
  const page = await opened('light');
  await page.goto(`${address}/reference/config.html`);
  await page.waitForSelector('form[role=search]:not([hidden])');
  await page.keyboard.press('/');
  await page.keyboard.type('exit codes');
  await page.waitForSelector('#found li a');
  const violations = await violationsOf(page);
  const first = await page.textContent('#found li a');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/guide/results.html#exit-codes');
  await page.close();
  expect({ first, violations }).toEqual({ first: 'Reading results: Exit codes', violations: [] });
});

test('the search says when no section has all words', async () => {
  const page = await opened('light');
  await page.goto(`${address}/index.html`);
  await page.fill('#search', 'kumquat marmalade');
  const said = await page.textContent('#found [role=status]');
  await page.keyboard.press('Escape');
  const isHidden = await page.isHidden('#found');
  await page.close();
  expect({ said, isHidden }).toEqual({ said: 'No section has all of these words.', isHidden: true });
});
