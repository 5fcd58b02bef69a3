import { afterAll, beforeAll, expect, test } from 'vitest';

import { startAgent, type Agent, type AgentTurn } from '../e2e/support/talkers.ts';
import { newcomerAt } from './support/newcomer.ts';
import { openServe, type OpenServe } from './support/open-serve.ts';
import { allShown, inspected, opened } from './support/visit.ts';

const answers: Record<string, readonly AgentTurn[]> = {};

let serve: OpenServe;
let agent: Agent;
let id = '';

beforeAll(async () => {
  agent = await startAgent(answers);
  const config = { targets: { desk: { type: 'http', url: agent.url } }, judge: { metrics: [] } };
  serve = await openServe({ store: 'embedded', auth: 'none', files: { 'assay.config.json': config } });
  const written = { name: 'Refund of a lamp', initial_message: 'My lamp broke.', max_turns: 1 };
  const outcomes = { expected_outcomes: { refund: 'offers a refund' } };
  id = (await serve.ask('POST', '/test-cases', { ...written, ...outcomes })).id;
  answers[id] = ['I am sorry.'];
});
afterAll(async () => {
  await serve?.[Symbol.asyncDispose]();
  await agent?.[Symbol.asyncDispose]();
});

test('a newcomer without a language model edits the case of a colleague, runs it and sees that the agent got better, within five minutes', async () => {
  const page = await opened(serve.browser);
  const newcomer = newcomerAt(page);
  const { reads, clicks, types, waits } = newcomer;
  await page.goto(serve.url);
  await allShown(page, '.empty');
  await reads('the overview', 'body');
  await clicks('Cases');
  await allShown(page, '[data-row]');
  await reads('the cases', 'main');
  await clicks('Refund of a lamp');
  await page.waitForSelector('[aria-labelledby=passing] li');
  await reads('the case', 'main');
  await clicks('Edit');
  await page.waitForSelector('#field-initial_message');
  await reads('the form of the case', 'main form');
  await types('First message of the user', 'My new lamp arrived broken. What can you do for me?');
  await clicks('Save');
  await page.waitForURL((url) => !url.pathname.endsWith('/edit'));
  await clicks('Run this case');
  await page.waitForSelector('label:has-text("Use no language model")');
  await reads('the form of the run', 'main form');
  await page.check('label:has-text("Use no language model")');
  newcomer.steps.push(['ticks that no model is used', 2]);
  await types('The answer must contain', 'refund');
  await page.waitForSelector('#plan');
  await reads('the plan', '[aria-labelledby=plan]');
  await clicks('Start this run');
  await allShown(page, '.state.completed');
  waits(5);
  await reads('the result', '.head, [aria-label=Totals], [aria-labelledby=attention]');

  answers[id] = ['I refund your lamp.'];
  await clicks('Run again');
  await page.waitForSelector('#plan');
  await reads('that it is filled in', '.note');
  await clicks('Start this run');
  await page.waitForURL((url) => !url.pathname.endsWith('/new'));
  await allShown(page, '.state.completed');
  waits(5);
  await reads('the result', '.head, [aria-label=Totals]');
  await clicks('Compare with the run before');
  await page.waitForSelector('.plain-words');
  await reads('the answer', '.plain-words, .note, .sentence');
  const answer = await page.textContent('.plain-words');
  expect(await inspected(page, 'newcomer-edit-compare')).toEqual([]);
  const { expected_outcomes: kept } = await serve.ask('GET', `/test-cases/${id}`);
  await page.close();
  expect([answer, kept]).toEqual([
    'Better, but inconclusive: 1 case better, 0 cases worse, of 1 case compared. That can be chance.',
    { refund: 'offers a refund' },
  ]);
  expect(newcomer.needed() < 300 ? '' : newcomer.told()).toBe('');
});
