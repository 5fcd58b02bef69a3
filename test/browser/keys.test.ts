import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { violationsOf } from './support/browser.ts';
import { openView, type OpenView } from './support/open-view.ts';
import { shopRuns, type ShopRuns } from './support/shop-runs.ts';
import { SUITE } from './support/shop-trials.ts';
import { allShown, movedTo, opened } from './support/visit.ts';

let view: OpenView<ShopRuns>;

beforeAll(async () => {
  view = await openView(shopRuns);
});

afterAll(async () => {
  await view?.[Symbol.asyncDispose]();
});

const focusOf = (page: Page) => page.evaluate<string | undefined>('document.activeElement?.id');

test('keys go from the runs to a trial of the list', async () => {
  const page = await opened(view.browser);
  await page.goto(`${view.url}/runs?state=completed`);
  await page.waitForSelector('tbody tr:nth-child(4)');
  await movedTo(page, 'j', 'tr:nth-child(1) [data-row]');
  await movedTo(page, 'j', 'tr:nth-child(2) [data-row]');
  await movedTo(page, 'j', 'tr:nth-child(3) [data-row]');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/runs/${view.runs.worse}`);
  await page.waitForSelector('.list li:nth-child(2) [data-row]');
  await movedTo(page, 'j', '.list li:nth-child(1) [data-row]');
  await movedTo(page, 'j', '.list li:nth-child(2) [data-row]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.neighbours');
  const { pathname } = new URL(page.url());
  await page.close();
  expect(pathname).toBe(`/runs/${view.runs.worse}/trials/2`);
});

test('keys go along the list of trials, also while a page still loads, and back to the run', async () => {
  const page = await opened(view.browser);
  await page.goto(`${view.url}/runs/${view.runs.worse}/trials/2`);
  await page.waitForSelector('.neighbours a:has-text("Next")');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.waitForURL('**/trials/3');
  await page.keyboard.press('u');
  await page.waitForSelector('#trials');
  const { pathname } = new URL(page.url());
  await page.close();
  expect(pathname).toBe(`/runs/${view.runs.worse}`);
});

test('evidence moves the focus to its turn', async () => {
  const page = await opened(view.browser);
  await page.goto(`${view.url}/runs/${view.runs.worse}/trials/1`);
  await page.waitForSelector('#turn-4');
  await page.click('.evidence a:has-text("turn 4")');
  await expect.poll(() => focusOf(page)).toBe('turn-4');
  await page.close();
});

test('an address with a turn moves the focus there', async () => {
  const page = await opened(view.browser);
  await page.goto(`${view.url}/runs/${view.runs.worse}/trials/1#turn-3`);
  await expect.poll(() => focusOf(page)).toBe('turn-3');
  await page.close();
});

test('the search field and the list of keys are a key away', async () => {
  const page = await opened(view.browser);
  await page.goto(`${view.url}/runs/${view.runs.worse}`);
  await page.waitForSelector('#trials');
  await page.keyboard.press('/');
  await page.waitForSelector('input[type=search]:focus');
  await page.keyboard.type('gift card');
  await page.waitForURL('**search=gift**');
  await page.keyboard.press('Tab');
  await page.waitForSelector('input[type=search]:not(:focus)');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  const violations = await violationsOf(page);
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog:not([open])', { state: 'attached' });
  await page.close();
  expect(violations).toEqual([]);
});

test('letters that are typed while the address follows are not lost', async () => {
  const page = await opened(view.browser);
  await page.goto(`${view.url}/runs/${view.runs.worse}`);
  await page.waitForSelector('#trials');
  await page.click('input[type=search]');
  // The next letter comes between the change of the address and what is drawn of it.
  await page.evaluate(`(() => {
    const replace = history.replaceState;
    history.replaceState = (...state) => {
      history.replaceState = replace;
      history.replaceState(...state);
      document.execCommand('insertText', false, 't');
    };
  })()`);
  await page.keyboard.type('gif');
  await page.waitForURL('**search=gift');
  const typed = await page.inputValue('input[type=search]');
  await page.close();
  expect(typed).toBe('gift');
});

/** Clicks faster than a page is drawn. */
async function clickedAtOnce(page: Page, labels: readonly string[]): Promise<void> {
  const boxes = labels.map((label) => `[aria-label="${label}"]`);
  for (const box of boxes) await page.waitForSelector(box);
  await page.evaluate(`for (const box of ${JSON.stringify(boxes)}) document.querySelector(box).click()`);
  for (const box of boxes) await page.waitForSelector(`${box}:checked`);
}

test('two selected runs are compared, the older as base', async () => {
  const { first, worse } = view.runs;
  const page = await opened(view.browser);
  await page.goto(`${view.url}/runs`);
  await clickedAtOnce(page, [`Select run ${worse}`, `Select run ${first}`]);
  await page.click('text=Compare the two selected runs');
  await page.waitForSelector('.sentence.regressed');
  const { searchParams } = new URL(page.url());
  await page.close();
  expect([searchParams.get('base'), searchParams.get('candidate')]).toEqual([first, worse]);
});

test('two selected points of the trends are compared, the older as base', async () => {
  const { first, better } = view.runs;
  const page = await opened(view.browser);
  await page.goto(`${view.url}/trends`);
  await clickedAtOnce(page, [`Select ${better}#support-agent`, `Select ${first}#support-agent-mini`]);
  await page.click('text=Compare the two selected points');
  await page.waitForSelector('.sentence');
  const { searchParams } = new URL(page.url());
  await page.close();
  expect([searchParams.get('base'), searchParams.get('candidate')]).toEqual([
    `${first}#support-agent-mini`,
    `${better}#support-agent`,
  ]);
});

test('a comparison leads to both trials of a case, and to another repetition of one side', async () => {
  const { first, worse } = view.runs;
  const page = await opened(view.browser);
  await page.goto(`${view.url}/compare?base=${first}&candidate=${worse}`);
  await page.click('a:has-text("refund of a damaged lamp") >> nth=0');
  await page.waitForURL('**/compare/trials?**');
  await page.click('nav[aria-label="Trials of the candidate"] a:has-text("Repetition 2")');
  await page.waitForSelector('[aria-label="Trials of the candidate"] a:nth-child(2)[aria-current]');
  const chosen = await page.textContent('[aria-label="Trials of the candidate"] [aria-current]');
  await page.close();
  expect(chosen).toContain('Repetition 2');
});

test('both trials of a case lead back to the comparison as it was asked for', async () => {
  const { first, worse } = view.runs;
  const page = await opened(view.browser);
  const target = 'support-agent';
  await page.goto(`${view.url}/compare?base=${first}%23${target}&candidate=${worse}%23${target}`);
  await page.waitForSelector('.sentence');
  await page.selectOption('select[name="on"]', 'score');
  await page.check('input[name="grader"]');
  await page.click('form >> text="Compare"');
  await page.waitForURL('**on=score**');
  const asked = new URL(page.url()).search;
  await page.click('a:has-text("refund of a damaged lamp") >> nth=0');
  await page.waitForURL('**/compare/trials?**');
  const suite = new URL(page.url()).searchParams.get('suite');
  await page.waitForSelector('[aria-label="Trials of the base"]');
  await page.click('text=← Comparison');
  await page.waitForSelector('.sentence');
  const back = new URL(page.url()).search;
  const shown = await page.inputValue('select[name="on"]');
  await page.close();
  expect([suite, back, shown]).toEqual([SUITE, asked, 'score']);
});

test('why a case failed and whether the newer run is worse are at most two clicks away', async () => {
  const page = await opened(view.browser);
  await page.goto(view.url);
  await page.click('td a[href^="/runs/"]');
  await page.waitForURL('**/runs/2026*');
  await page.click('.list li:has(.verdict.failed) [data-row]');
  const reason = await page.textContent('.grade.failed pre');
  await page.goto(view.url);
  await page.click('td a[href^="/compare"]');
  const sentence = await page.textContent('.sentence');
  await page.close();
  expect([reason, sentence]).toEqual([
    'The agent refunds although the order was refunded before, and does not tell the customer.',
    expect.stringMatching(/^(regressed|improved|equivalent|inconclusive|invalid): /) as string,
  ]);
});

test('a run is exported and an artifact is saved, neither shown in the page', async () => {
  const page = await opened(view.browser);
  await page.goto(`${view.url}/runs/${view.runs.worse}`);
  await allShown(page, 'a:has-text("CSV")');
  const [exported] = await Promise.all([
    page.waitForEvent('download'),
    page.press('a:has-text("CSV")', 'Enter'),
  ]);
  await page.goto(`${view.url}/runs/${view.runs.worse}/trials/1`);
  await allShown(page, 'a:has-text("memory.json")');
  const [artifact] = await Promise.all([
    page.waitForEvent('download'),
    page.press('a:has-text("memory.json")', 'Enter'),
  ]);
  const names = [exported.suggestedFilename(), artifact.suggestedFilename()];
  await page.close();
  expect(names).toEqual([`${view.runs.worse}.csv`, 'memory.json']);
});
