import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openServe, STORES, type OpenServe } from './support/open-serve.ts';
import { fillShop, SHOP_CONFIG } from './support/stored-shop.ts';
import { NOTHING_WRONG } from './support/nothing-wrong.ts';
import { allShown, inAllLooks, inspected, opened, type Visit } from './support/visit.ts';

const config = {
  ...SHOP_CONFIG['assay.config.json'],
  run: {
    expectations: [
      { type: 'contains', value: 'refund', name: 'offers a refund' },
      { type: 'contains', value: 'sorry', name: '<b>apologises</b>' },
    ],
  },
};

describe.each(STORES)('reviewing trials of the %s store', (store) => {
  let serve: OpenServe;
  let run = '';
  beforeAll(async () => {
    serve = await openServe({ store, auth: 'token', files: { 'assay.config.json': config } });
    await fillShop(serve);
    const body = { name: 'To review', select: { tag_any: ['smoke'] }, repetitions: 4 };
    run = (await serve.ask('POST', '/runs', body)).id;
    while ((await serve.ask('GET', `/runs/${run}`)).state !== 'completed');
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  const openedAt = async (path: string, shows: string): Promise<Page> => {
    const page = await opened(serve.browser);
    const value = await serve.cookie();
    await page.context().addCookies([{ name: 'assay_session', value, url: serve.url }]);
    await page.goto(`${serve.url}${path}`);
    await allShown(page, shows);
    return page;
  };
  const reviewsOf = async (trial: number) => {
    const { data } = await serve.ask('GET', `/runs/${run}/trials/${trial}/reviews`);
    return data.map((each: Readonly<Record<string, unknown>>) => [
      each['expectation'],
      each['verdict'],
      each['note'],
      each['seen_judge'],
    ]);
  };

  /** Ann says passed, failed, passed, failed of the trials 2 to 5, which are of two cases; Bob says the same but once. */
  const reviewedByBob = async () => {
    const account = 'bob@example.com';
    await serve.ask('POST', '/accounts', { email: account, role: 'member' });
    const { token } = await serve.ask('POST', '/tokens', { account, name: 'bob' });
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    for (const [trial, verdict] of [
      [2, 'passed'],
      [3, 'failed'],
      [4, 'passed'],
      [5, 'passed'],
    ] as const) {
      const body = JSON.stringify({ expectation: 'offers a refund', verdict, seen_judge: false });
      const address = `${serve.url}/api/v1/runs/${run}/trials/${trial}/reviews`;
      expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(201);
    }
  };

  test('no grade is shown before its verdict, and a verdict says whether the grades were seen', async () => {
    const page = await openedAt('/review', '#verdicts');
    const chosen = await page.locator('label:has-text("Run") option:checked').innerText();
    expect(chosen).toMatch(/^To review, .*\d.* → desk$/);
    await page.waitForSelector('text="1 of 8"');
    const hidden = await page.locator('main .verdict, main .graded').count();
    expect(await inspected(page, `review-hidden-${store}`)).toEqual([]);
    await page.fill('[aria-label="Note: offers a refund"]', 'It only says that it can.');
    await page.reload();
    await allShown(page, '#verdicts');
    await page.press('[aria-label="offers a refund: failed"]', 'Enter');
    await page.waitForSelector('text="You said: failed"');
    const shown = await page.locator('li:has(.graded) h3').allTextContents();
    await page.waitForSelector(
      '.graded :text-is("This grader agrees with people on 0 of the 1 held-out trial. Reviewed so far: 1 trial of 1 case.")',
    );
    expect(await inspected(page, `review-one-verdict-${store}`)).toEqual([]);
    await page.press('text="Skip to the next"', 'Enter');
    await page.waitForSelector('text="2 of 8"');
    await allShown(page, '#verdicts');
    await page.press('text="Show all grades first"', 'Enter');
    await page.waitForSelector('.graded >> nth=2');
    await page.reload();
    await page.waitForSelector('.graded >> nth=2');
    await page.press('[aria-label="The whole trial: passed"]', 'Enter');
    await page.waitForSelector('text=You said: passed, after seeing the grades');
    expect(await inspected(page, `review-seen-${store}`)).toEqual([]);
    const address = new URL(page.url()).search;
    await page.close();
    expect([hidden, shown, address]).toEqual([0, ['offers a refund'], expect.stringContaining('trial=')]);
    expect(await reviewsOf(1)).toEqual([['offers a refund', 'failed', 'It only says that it can.', false]]);
    expect(await reviewsOf(2)).toEqual([[null, 'passed', null, true]]);
  });

  test('the verdict of the run is shown after all verdicts, since it tells of the grades', async () => {
    const page = await openedAt(`/review?run=${run}&trial=5`, '#verdicts');
    await page.press('[aria-label="The whole trial: passed"]', 'Enter');
    await page.waitForSelector('text="You said: passed"');
    const first = await page.locator('.graded').count();
    await page.press('[aria-label="offers a refund: passed"]', 'Enter');
    await page.waitForSelector('.graded');
    const second = await page.locator('li:has(.graded) h3').allTextContents();
    await page.press('[aria-label="<b>apologises</b>: failed"]', 'Enter');
    await page.waitForSelector('text=The run:');
    await page.press('[aria-label="The whole trial: failed"]', 'Enter');
    await page.waitForSelector('text=You said: failed, after seeing the grades');
    await page.close();
    expect([first, second]).toEqual([0, ['offers a refund']]);
    expect(await reviewsOf(5)).toEqual([
      [null, 'passed', null, false],
      ['offers a refund', 'passed', null, false],
      ['<b>apologises</b>', 'failed', null, false],
      [null, 'failed', null, true],
    ]);
  });

  test('a verdict after a look at the page of the trial says that the grades were seen', async () => {
    const page = await openedAt(`/runs/${run}/trials/6`, 'h1');
    await page.waitForSelector('text="offers a refund"');
    await page.goto(`${new URL(page.url()).origin}/review?run=${run}&trial=6`);
    await allShown(page, '#verdicts');
    await page.press('[aria-label="offers a refund: passed"]', 'Enter');
    await page.waitForSelector('text=You said: passed, after seeing the grades');
    await page.close();
    expect(await reviewsOf(6)).toEqual([['offers a refund', 'passed', null, true]]);
  });

  test('a queue of failed trials tells their grades, and its verdicts say so', async () => {
    const page = await openedAt(`/review?run=${run}&status=["failed"]&trial=3`, '#verdicts');
    await page.waitForSelector('.note:has-text("after seeing")');
    await page.press('[aria-label="<b>apologises</b>: failed"]', 'Enter');
    await page.waitForSelector('text=You said: failed, after seeing the grades');
    await page.close();
    expect(await reviewsOf(3)).toEqual([['<b>apologises</b>', 'failed', null, true]]);
  });

  test('the agreement is shown by grader, disagreements first, and labels are exported', async () => {
    for (const trial of [1, 2, 3, 4, 5, 6, 7, 8]) {
      for (const expectation of ['offers a refund', '<b>apologises</b>']) {
        const verdict = expectation === 'offers a refund' && trial % 2 === 0 ? 'passed' : 'failed';
        const body = { expectation, verdict, seen_judge: false };
        await serve.ask('POST', `/runs/${run}/trials/${trial}/reviews`, body);
      }
    }
    await reviewedByBob();
    const page = await openedAt(`/review?run=${run}`, '#verdicts');
    const [exported] = await Promise.all([
      page.waitForEvent('download'),
      page.press('text="Export labels"', 'Enter'),
    ]);
    const labels = (await readFile(await exported.path(), 'utf8')).trim().split('\n');
    await page.press('text="Agreement with the graders"', 'Enter');
    await allShown(page, '#graders');
    const titles = await page.locator('main h2').allTextContents();
    const graders = await page.locator('[aria-labelledby="graders"] tbody th .name').allTextContents();
    const reviewers = await page.locator('[aria-labelledby="reviewers"] tbody tr').innerText();
    expect(await inspected(page, `agreement-${store}`)).toEqual([]);
    await page.close();
    expect(titles).toEqual(['Disagreements', 'Graders', 'Reviewers']);
    expect(graders).toEqual(['offers a refund', '<b>apologises</b>']);
    expect(labels.length).toBe(22);
    expect(reviewers.split(/\s+/).join(' ')).toBe(
      'ann@example.com and bob@example.com 3 of 4 75 % [17 %, 98 %] 0.50 [-0.61, 0.92]',
    );
  });

  const VISITS: readonly Visit[] = [
    { name: 'review-nothing', path: () => `/review?run=${run}&search=nothing`, shows: '.empty' },
    { name: 'review-unknown', path: () => '/review?run=nothing', shows: 'main [role=alert]' },
    { name: 'agreement-no-run', path: () => '/review/agreement', shows: '.empty' },
    { name: 'loading-review', path: () => '/review?run=x', shows: 'main [role=status]', answers: 'never' },
    { name: 'broken-review', path: () => '/review?run=x', shows: 'main [role=alert]', answers: 'broken' },
  ];

  // Pages look the same over both stores.
  test.each(store === 'embedded' ? VISITS : [])(
    '$name is shown without an error or a violation',
    async (visit) => {
      const cookie = await serve.cookie();
      expect(await inAllLooks(serve.browser, serve.url, { ...visit, cookie })).toEqual(NOTHING_WRONG);
    },
  );
});
