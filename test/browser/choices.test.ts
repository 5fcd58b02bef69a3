import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { openView, type OpenView } from './support/open-view.ts';
import { shopRuns, type ShopRuns } from './support/shop-runs.ts';
import { allShown, opened } from './support/visit.ts';

let view: OpenView<ShopRuns>;

beforeAll(async () => {
  view = await openView(shopRuns);
});

afterAll(async () => {
  await view?.[Symbol.asyncDispose]();
});

test('a trial is shown as other runs graded it, and the address holds the choice', async () => {
  const { worse, regraded } = view.runs;
  const page = await opened(view.browser);
  await page.goto(`${view.url}/runs/${worse}/trials/1?status=failed`);
  await page.click('[aria-label=Gradings] a:has-text("Graded again")');
  await page.waitForURL(`**/trials/1?*grading=${regraded}`);
  await page.waitForSelector('.head .row > .verdict.passed');
  const asked = new URL(page.url()).searchParams.get('status');
  await page.reload();
  await page.waitForSelector('.head .row > .verdict.passed');
  await page.click('.neighbours a:has-text("Next")');
  await page.waitForURL((url) => !url.pathname.endsWith('/trials/1'));
  const next = new URL(page.url()).searchParams.get('grading');
  await page.goBack();
  await page.click('[aria-label=Gradings] a:has-text("First grading")');
  await page.waitForSelector('.head .row > .verdict.failed');
  const first = new URL(page.url()).searchParams.get('grading');
  await page.close();
  expect([asked, next, first]).toEqual(['["failed"]', null, null]);
});

test('an answer above 64 KB is read in the transcript and saved as a file', async () => {
  const page = await opened(view.browser);
  await page.goto(`${view.url}/runs/${view.runs.worse}/trials/3`);
  await allShown(page, 'a:has-text("Download the whole answer")');
  await page.click('.transcript button:has-text("Show all")');
  await page.waitForSelector('.transcript button:has-text("Show all")', { state: 'detached' });
  const shown = await page.evaluate<number>(
    "Math.max(...[...document.querySelectorAll('.transcript pre')].map((each) => each.textContent.length))",
  );
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.press('a:has-text("Download the whole answer")', 'Enter'),
  ]);
  const text = readFileSync(await saved.path(), 'utf8');
  const { pathname } = new URL(page.url());
  await page.close();
  expect([shown, text.length, pathname]).toEqual([81_600, 81_600, `/runs/${view.runs.worse}/trials/3`]);
});

test('trends are narrowed to a period that stands in the address', async () => {
  const page = await opened(view.browser);
  const rows = () => page.locator('tbody tr').count();
  await page.goto(`${view.url}/trends`);
  await expect.poll(rows).toBe(10);
  await page.fill('label:has-text("From") input', '2026-03-02');
  await page.waitForURL('**since=2026-03-02');
  await expect.poll(rows).toBe(7);
  await page.fill('label:has-text("Until") input', '2026-03-02');
  await expect.poll(rows).toBe(3);
  await page.fill('label:has-text("Until") input', '2026-03-01');
  const told = await page.textContent('.wrong');
  const isMarked = await page.getAttribute('label:has-text("Until") input', 'aria-invalid');
  await page.click('.wrong >> text=Remove');
  await page.waitForURL((url) => !url.searchParams.has('until'));
  await page.close();
  expect([told, isMarked]).toEqual(['The end is before the beginning.Remove', 'true']);
});

test('a list of trials is drawn where somebody scrolls to', async () => {
  const page = await opened(view.browser);
  await page.goto(`${view.url}/runs/${view.runs.worse}`);
  await page.waitForSelector('table[aria-rowcount="97"]', { state: 'attached' });
  const rowAt = (block: string) =>
    page.evaluate<number>(`(() => {
      document.querySelector('table[aria-rowcount]').scrollIntoView({ block: '${block}' });
      const seen = document.elementFromPoint(innerWidth / 3, innerHeight / 2);
      return Number(seen.closest('tr[aria-rowindex]')?.ariaRowIndex ?? 0);
    })()`);
  await expect.poll(() => rowAt('start')).toBeGreaterThan(1);
  await expect.poll(() => rowAt('center')).toBeGreaterThan(30);
  await expect.poll(() => rowAt('end')).toBeGreaterThan(80);
  await page.close();
});

test('exactly one of the choices of a page is marked as chosen', async () => {
  const { worse, regraded, first } = view.runs;
  const page = await opened(view.browser);
  const chosen = async (path: string, group: string) => {
    await page.goto(`${view.url}${path}`);
    await page.waitForSelector(`[aria-label="${group}"] [aria-current]`);
    return await page.locator(`[aria-label="${group}"] [aria-current]`).allTextContents();
  };
  const failed = encodeURIComponent('["failed","unexpected-passed"]');
  const found = [
    await chosen(`/runs/${worse}?status=${failed}`, 'Filter'),
    await chosen(`/runs/${worse}?status=${failed}&search=refund`, 'Filter'),
    await chosen('/trends?show=cost', 'What is drawn'),
    await chosen(`/runs/${worse}/trials/1?grading=${regraded}&status=${failed}`, 'Gradings'),
    await chosen(
      `/compare/trials?base=${first}&candidate=${worse}&base_trial=2&test_case_id=refund%20of%20a%20damaged%20lamp`,
      'Trials of the base',
    ),
  ];
  await page.close();
  expect(found.map((each) => each.length)).toEqual([1, 1, 1, 1, 1]);
  expect(found.flat().slice(0, 3)).toEqual(['Failed', 'Failed', 'Cost']);
});

test('a comparison says what `assay compare` says, and shows when both sides ran and how they did', async () => {
  const { first, worse } = view.runs;
  const page = await opened(view.browser);
  const query = `base=${first}%23support-agent&candidate=${worse}%23support-agent`;
  const answer = await fetch(`${view.url}/api/v1/comparisons?${query}`);
  const { sentence } = (await answer.json()) as { sentence: string };
  await page.goto(`${view.url}/compare?${query}`);
  await page.waitForSelector('[aria-label="Both sides"] .judge >> nth=1');
  const shown = await page.textContent('.sentence.lead');
  const rows = await page.locator('[aria-label="Both sides"] tbody tr').allTextContents();
  const heads = await page.locator('[aria-label^="Worse"] th[scope=col]').allTextContents();
  await page.close();
  expect(shown).toBe(sentence);
  expect(heads).toEqual(['Case', 'Base score', 'Candidate score', 'Difference']);
  expect(rows).toEqual([
    expect.stringMatching(/^BaseMar 1, 2026.*45\/48 = 93\.8 %95 % interval \[.*1 of 2 graders calibrated/),
    expect.stringMatching(
      /^CandidateMar 2, 2026.*22\/48 = 45\.8 %95 % interval \[.*1 of 2 graders calibrated/,
    ),
  ]);
});

test('a list says what it is narrowed to where no tab shows it', async () => {
  const page = await opened(view.browser);
  const path = `/runs/${view.runs.worse}`;
  await page.goto(`${view.url}${path}?status=["failed"]&tag=refund`);
  const told = await page.textContent('text=shows every trial again');
  await page.goto(`${view.url}${path}?status=["errored"]&search=x`);
  await page.waitForSelector('text=No trial matches');
  const tolds = await page.locator('text=shows every trial again').count();
  await page.close();
  expect([told, tolds]).toEqual(['Only status failed, tag refund. “All” shows every trial again.', 0]);
});
