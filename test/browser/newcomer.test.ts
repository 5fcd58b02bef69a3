import { afterAll, beforeAll, expect, test } from 'vitest';

import { startModelServer, type ModelServer } from '../../src/models/mock-server/server.ts';
import { startJudge } from '../e2e/support/talkers.ts';
import { newcomerAt } from './support/newcomer.ts';
import { openServe, type OpenServe } from './support/open-serve.ts';
import { allShown, inspected, opened } from './support/visit.ts';

const REFUNDED = 'I have refunded your lamp.';
const OUTCOME = 'The refund was made.';

let serve: OpenServe;
let model: ModelServer;
let judge: ModelServer;

beforeAll(async () => {
  model = await startModelServer({
    records: true,
    replyTo: ({ messages }) => ({
      text: messages.some(({ text }) => text.includes('Refund broken goods')) ? REFUNDED : 'I am sorry.',
    }),
  });
  judge = await startJudge((prompt) => (prompt.includes(REFUNDED) ? {} : { broken: [OUTCOME] }));
  const config = {
    user: { type: 'scripted', messages: [] },
    judge: { model: 'bench/judge', metrics: [] },
    models: { bench: { baseUrl: `${judge.url}/v1` } },
  };
  serve = await openServe({ store: 'embedded', auth: 'none', files: { 'assay.config.json': config } });
  const desk = { type: 'openai-compatible', baseUrl: `${model.url}/v1`, model: 'm', system: 'Be kind.' };
  await serve.ask('POST', '/agents', { name: 'desk', config: desk });
});
afterAll(async () => {
  await serve?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
  await judge?.[Symbol.asyncDispose]();
});

test('a newcomer writes a case, runs it, changes the agent and sees that it got better, within five minutes', async () => {
  const page = await opened(serve.browser);
  const newcomer = newcomerAt(page);
  const { reads, clicks, types, waits } = newcomer;
  await page.goto(serve.url);
  await allShown(page, '.empty');
  await reads('the overview', 'body');
  await clicks('Cases');
  await allShown(page, '.empty');
  await reads('the cases', 'main');
  await clicks('New case');
  await reads('the form', 'main');
  await types('Name', 'Broken lamp');
  await types('First message of the user', 'My lamp arrived broken.');
  await types('Expected outcomes', OUTCOME);
  await clicks('Create');
  await reads('what counts as passing', '[aria-labelledby=passing]:has(li)');
  await clicks('Run this case');
  await reads('the form of the run', 'main');
  await reads('the plan', '[aria-labelledby=plan]');
  await clicks('Start this run');
  await allShown(page, '.state.completed');
  waits(5);
  await reads('the result', '.head, [aria-label=Totals], [aria-labelledby=attention]');
  await clicks('Broken lamp');
  await allShown(page, '.grade');
  await reads('why it failed', '.head, .grade, .transcript');

  await clicks('Agents');
  await allShown(page, 'table');
  await clicks('desk');
  await page.waitForSelector(':text-is("New version")');
  await reads('the agent', 'main');
  await clicks('New version');
  await reads('its form', 'main');
  await types('System prompt', 'Be kind. Refund broken goods.');
  await clicks('Add version');
  await allShown(page, '.lines .added');
  await clicks('Runs');
  await allShown(page, '[data-row]');
  await page.click('[data-row]');
  newcomer.steps.push(['clicks the run', 2]);
  await clicks('Run again');
  await reads('that it is filled in', '.note, .targets');
  expect(await inspected(page, 'newcomer-again')).toEqual([]);
  await page.waitForSelector('#plan');
  await clicks('Start this run');
  await page.waitForURL((url) => !url.pathname.endsWith('/new'));
  await allShown(page, '.state.completed');
  waits(5);
  await reads('the result', '.head, [aria-label=Totals]');
  expect(await inspected(page, 'newcomer-run')).toEqual([]);
  await clicks('Compare with the run before');
  await page.waitForSelector('.plain-words');
  await reads('the answer', '.plain-words');
  const answer = await page.textContent('.plain-words');
  const sentence = await page.textContent('.sentence');
  const few = await page.textContent('.plain-words + .note');
  const leads = await page.getAttribute('.plain-words + .note a', 'href');
  await page.click('text=Show the difference of the two versions');
  await allShown(page, '.lines .added');
  const added = await page.locator('.lines .added').allTextContents();
  await page.goBack();
  await allShown(page, '.plain-words');
  expect(await inspected(page, 'newcomer-compare')).toEqual([]);
  await page.goto(`${serve.url}/trends`);
  await allShown(page, 'table');
  const before = await page.locator('main tbody td:last-child').allTextContents();
  expect(await inspected(page, 'newcomer-trends')).toEqual([]);
  await page.close();
  expect(answer).toBe(
    'Better, but inconclusive: 1 case better, 0 cases worse, of 1 case compared. That can be chance.',
  );
  expect(sentence).toContain('p = 1; at least 6 cases are needed to see any change; a change of 5 points');
  expect([few, leads]).toEqual([
    'Add more different cases, and run both sides again. Repetitions of the same case do not help.',
    '/cases/new',
  ]);
  expect(added).toEqual([expect.stringContaining('Refund broken goods.')]);
  expect(before).toEqual(['compare', 'first run']);
  expect(newcomer.needed() < 300 ? '' : newcomer.told()).toBe('');
});
