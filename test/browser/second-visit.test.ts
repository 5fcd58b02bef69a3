import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ModelServer } from '../../src/models/mock-server/server.ts';
import { startAgent, startJudge, type Agent } from '../e2e/support/talkers.ts';
import { openServe, type OpenServe } from './support/open-serve.ts';
import { allShown, inspected, opened } from './support/visit.ts';

const OUTCOME = 'The refund was made.';

let serve: OpenServe;
let agent: Agent;
let judge: ModelServer;

beforeAll(async () => {
  agent = await startAgent({});
  judge = await startJudge(() => ({ usual: 1, broken: [OUTCOME] }));
  const config = {
    targets: { desk: { type: 'http', url: agent.url } },
    user: { type: 'scripted', messages: [] },
    judge: { model: 'bench/judge' },
    models: { bench: { baseUrl: `${judge.url}/v1` } },
  };
  serve = await openServe({ store: 'embedded', auth: 'none', files: { 'assay.config.json': config } });
});
afterAll(async () => {
  await serve?.[Symbol.asyncDispose]();
  await agent?.[Symbol.asyncDispose]();
  await judge?.[Symbol.asyncDispose]();
});

async function newCase(name: string): Promise<string> {
  const written = { name, initial_message: 'My lamp broke.', expected_outcomes: { [OUTCOME]: true } };
  return (await serve.ask('POST', '/test-cases', written)).id;
}

async function runOf(...ids: readonly string[]): Promise<string> {
  const { id } = await serve.ask('POST', '/runs', { select: ids.length === 0 ? {} : { id: ids } });
  await expect.poll(async () => (await serve.ask('GET', `/runs/${id}`)).state).toBe('completed');
  return id;
}

test('the first page says that it could not ask, not that nothing is there', async () => {
  const page = await opened(serve.browser);
  const told = async (list: string) => {
    await page.route(`**/api/v1/${list}?*`, (route) => route.abort());
    await page.goto(serve.url);
    await page.waitForSelector('main .problem, main .empty');
    const texts = await page.locator('main .problem, main .empty').allInnerTexts();
    await page.unroute(`**/api/v1/${list}?*`);
    return texts.map((text) => text.split(':')[0]);
  };
  const texts = [await told('test-cases'), await told('agents')];
  await page.close();
  expect(texts).toEqual([['The server did not answer'], ['The server did not answer']]);
});

test('a second visit is told what is missing, sees the answer first, and compares only what can be compared', async () => {
  const page = await opened(serve.browser);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(serve.url);
  await allShown(page, '.empty');
  const begins = await page.innerText('.empty');
  await page.goto(`${serve.url}/runs/new`);
  await allShown(page, 'main a[href="/cases/new"]');
  await page.waitForSelector('.problem');
  const without = await page.innerText('main');
  expect([begins, without.includes('No active test cases yet. Write one.'), /api\/v1/.test(without)]).toEqual(
    ['No runs here yet. Write a test case, then start a run.', true, false],
  );

  const first = await newCase('Broken lamp');
  await page.goto(`${serve.url}/cases`);
  await allShown(page, '.note');
  const few = await page.innerText('.note');
  await page.goto(`${serve.url}/cases/${first}`);
  await page.click('text=New case like this');
  await page.waitForSelector('form textarea');
  await page.fill('.field:has(> label:text-is("Name")) input', 'Broken vase');
  await page.fill('.field:has(> label:text-is("First message of the user")) textarea', 'My vase broke.');
  expect(await inspected(page, 'new-case-like')).toEqual([]);
  await page.click('button:text-is("Create")');
  await allShown(page, 'h1:text-is("Broken vase")');
  const second = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const { expected_outcomes: expected } = await serve.ask('GET', `/test-cases/${second}`);
  const rest = await page.innerText('.note');
  expect(await inspected(page, 'case-few')).toEqual([]);
  expect([few, expected, rest]).toEqual([
    'Fewer than 6 cases cannot show a change between two runs. Write 5 more.',
    { [OUTCOME]: true },
    'Fewer than 6 cases cannot show a change between two runs. Write 4 more.',
  ]);

  const one = await runOf(first);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${serve.url}/runs/${one}/trials/1`);
  await allShown(page, '.transcript .entry');
  const answer = await page.locator('.transcript .entry').last().boundingBox();
  const open = await page.locator('.grade h3').filter({ visible: true }).allInnerTexts();
  const folded = await page.locator('.part > details > summary').allInnerTexts();
  expect([open.length, open[0]?.includes(OUTCOME), folded.length]).toEqual([1, true, 1]);
  expect((answer?.y ?? 9999) + (answer?.height ?? 0)).toBeLessThan(800);

  await page.goto(`${serve.url}/runs/${one}`);
  await allShown(page, '[aria-labelledby=judges] li');
  const scores = await page.locator('[data-row] >> xpath=ancestor::tr >> td.number').first().innerText();
  const average = await page.locator('[aria-label=Totals] .value').nth(2).innerText();
  expect([average, scores]).toEqual(['20 of 100', '20']);
  const judges = page.locator('[aria-labelledby=judges]');
  const judged = await judges.locator('li').filter({ visible: true }).allInnerTexts();
  const metrics = await judges.locator('summary').innerText();
  await page.goto(`${serve.url}/review?run=${one}`);
  await allShown(page, '#verdicts');
  const parts = page.locator('[aria-labelledby=verdicts]');
  const asked = await parts.locator('h3').filter({ visible: true }).allInnerTexts();
  await parts.locator('summary').press('Enter');
  const all8 = await parts.locator('details h3').filter({ visible: true }).count();
  expect(await inspected(page, 'review-folded')).toEqual([]);
  await page.goto(`${serve.url}/cases/${first}`);
  await allShown(page, '[aria-labelledby=passing] li');
  const passing = await page.locator('[aria-labelledby=passing] li').allInnerTexts();
  expect([judged.length, judged[0]?.includes(OUTCOME), metrics, asked, all8, passing]).toEqual([
    1,
    true,
    '8 more',
    ['The whole trial', OUTCOME],
    8,
    ['The judge finds that each expected outcome holds.', 'The score is only shown and decides nothing.'],
  ]);

  const other = await runOf(second);
  await page.goto(serve.url);
  await allShown(page, 'td span:text-is("first run of these cases")');
  expect(await page.locator('text=compare with the run before').count()).toBe(0);
  const mark = page.locator('table .judge a');
  await mark.focus();
  expect(
    await page.evaluate<string>("getComputedStyle(document.activeElement, '::after').content"),
  ).toContain('No person has checked');
  expect(await inspected(page, 'overview-other-cases')).toEqual([]);
  await page.goto(`${serve.url}/runs/${other}`);
  await allShown(page, 'a:text-is("Cost and time")');

  const again = await runOf(first);
  await page.goto(`${serve.url}/runs/${again}`);
  await page.click('text=Compare with the run before');
  await allShown(page, '.unchecked');
  expect(new URL(page.url()).searchParams.get('base')).toBe(one);
  expect(await page.locator('.unchecked').allInnerTexts()).toEqual([
    'This rests on a judge that is not calibrated: no person has checked yet how often it is right. Review some trials',
  ]);
  expect(await inspected(page, 'compare-unchecked')).toEqual([]);

  const all = await runOf();
  await newCase('Broken cup');
  await page.goto(`${serve.url}/runs/${all}`);
  await page.click('text=Run again');
  await page.waitForSelector('.note strong');
  const added = await page.locator('.note').last().innerText();
  expect(await inspected(page, 'run-again-added')).toEqual([]);
  await page.click('text=Run only the 2 cases of that run');
  await page.waitForSelector('text=2 selected test cases');
  await page.close();
  expect(added).toBe(
    '1 case was added since that run, and will run too: Broken cup. Run only the 2 cases of that run',
  );
});

test('runs before and after an edit of their case are compared in one click, and the page says what it means', async () => {
  const id = await newCase('Edited lamp');
  const base = await runOf(id);
  await serve.ask('PATCH', `/test-cases/${id}`, { initial_message: 'My lamp broke again.' });
  const candidate = await runOf(id);
  const page = await opened(serve.browser);
  await page.goto(`${serve.url}/compare?base=${base}&candidate=${candidate}`);
  await allShown(page, '.note');
  const before = await page.innerText('.note');
  expect(await inspected(page, 'compare-edited')).toEqual([]);
  await page.press('text="compare edited cases too"', 'Enter');
  await allShown(page, 'text=so the change can come from that');
  const after = await page.locator('.note').first().innerText();
  await page.close();
  expect([before, after]).toEqual([
    "1 case was edited between the runs. Run the older agent again with today's cases, or compare edited cases too.",
    '1 case was edited between the runs, so the change can come from that.',
  ]);
});
