import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { folderOfTests } from '../support/test-folders.ts';
import { readMatrix } from '../../src/reading/matrix.ts';
import { answeredTrial, writeMatrixPage } from '../../src/sinks/html/matrix-page.ts';
import { writeReport } from '../../src/sinks/output-file.ts';
import { rowOf } from '../../src/storage/run-directory/fixtures/runs.ts';
import { complaintsOf, openBrowser, violationsOf } from './support/browser.ts';
import { ALL_LOOKS, opened } from './support/visit.ts';

const folder = folderOfTests('assay-matrix-');
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser?.close());

/** A page of this many cases on four targets; every tenth case fails on the last target. */
async function pageOf(cases: number): Promise<string> {
  const file = join(folder, `${cases}.html`);
  const targets = [1, 2, 3, 4].map((each) => ({ name: `bot-${each}`, type: 'mock', config: {}, digest: 1 }));
  const rows = async function* () {
    for (let index = 0; index < cases; index++) {
      for (const [place, { name }] of targets.entries()) {
        const isBad = place === 3 && index % 10 === 9;
        const bad = { verdict: 'failed', status: 'failed', passed: false, score: 0.5 } as const;
        const output = `Answer ${index} of ${name}: `.padEnd(400, 'because ');
        yield rowOf(`case-${index}`, {
          target: name,
          number: index * 4 + place + 1,
          output,
          ...(isBad ? bad : {}),
        });
      }
    }
  };
  const manifest = { id: 'run', targets };
  const matrix = await readMatrix(rows(), manifest, answeredTrial);
  await writeReport(file, (out) => writeMatrixPage(matrix, manifest, out));
  return pathToFileURL(file).href;
}

const shownCases = (page: Page) => page.locator('.line-case:visible .case').allTextContents();

test('the matrix filters, sorts, and opens the answers of all targets', async () => {
  const url = await pageOf(20);
  const page = await opened(browser);
  const complaints = await complaintsOf(page, url);
  await page.goto(url);
  expect(await shownCases(page)).toHaveLength(20);
  await page.getByLabel('only cases that differ').check();
  expect(await shownCases(page)).toEqual(['case-9', 'case-19']);
  await page.getByLabel('Filter cases').fill('CASE-19');
  expect(await shownCases(page)).toEqual(['case-19']);
  await page.getByText('case-19').click();
  expect(await page.locator('.line-case[open] pre:visible').allTextContents()).toEqual(
    [1, 2, 3, 4].map((each) => expect.stringMatching(`^Answer 19 of bot-${each}: because`)),
  );
  await page.getByLabel('only cases that differ').uncheck();
  await page.getByLabel('Filter cases').fill('');
  await page.getByRole('button', { name: /bot-4/ }).click();
  expect((await shownCases(page)).slice(0, 3)).toEqual(['case-9', 'case-19', 'case-0']);
  expect(complaints).toEqual([]);
  await page.close();
});

test('without scripts everything can be read', async () => {
  const url = await pageOf(20);
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(url);
  expect(await shownCases(page)).toHaveLength(20);
  await page.getByText('case-9').click();
  expect(await page.locator('.line-case[open] pre:visible').count()).toBe(4);
  expect(await page.locator('.tools').isVisible()).toBe(false);
  await page.close();
});

test.each(ALL_LOOKS)('axe finds nothing wrong: %s', async (look) => {
  const page = await opened(browser, look);
  await page.goto(await pageOf(20));
  await page.getByText('case-9').click();
  expect(await violationsOf(page)).toEqual([]);
  await page.close();
});

test('5,000 cases on four targets are laid out without their closed answers', async () => {
  const page = await opened(browser);
  await page.goto(await pageOf(5000));
  await page.getByLabel('Filter cases').fill('case-4999');
  expect(await shownCases(page)).toEqual(['case-4999']);
  await page.close();
});
