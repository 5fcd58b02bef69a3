import { afterAll, beforeAll, expect, test } from 'vitest';

import { startModelServer, type ModelServer } from '../../src/models/mock-server/server.ts';
import { startJudge } from '../e2e/support/talkers.ts';
import { newcomerAt } from './support/newcomer.ts';
import { openServe, type OpenServe } from './support/open-serve.ts';
import { allShown, inspected, opened } from './support/visit.ts';

const REFUNDED = 'I have refunded your lamp.';
const OUTCOME = 'The refund was made.';

/** The content of the page with this title. */
const headed = (title: string) => `main:has(h1:text-is("${title}"))`;

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
  const desk = { type: 'openai-compatible', baseUrl: `${model.url}/v1`, model: 'm', system: 'Be kind.' };
  const config = {
    targets: { desk },
    judge: { metrics: [] },
    models: { bench: { baseUrl: `${judge.url}/v1` } },
  };
  serve = await openServe({ store: 'embedded', auth: 'none', files: { 'assay.config.json': config } });
});
afterAll(async () => {
  await serve?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
  await judge?.[Symbol.asyncDispose]();
});

test('a newcomer whose config has a target and no models tests it, makes a better agent of it and sees that, within five minutes', async () => {
  const page = await opened(serve.browser);
  const newcomer = newcomerAt(page);
  const { reads, clicks, types, waits } = newcomer;
  await page.goto(serve.url);
  await allShown(page, '.empty');
  await reads('the overview', 'body');
  await clicks('Write a test case');
  await reads('the form', headed('New case'));
  await types('Name', 'Broken lamp');
  await types('First message of the user', 'My lamp arrived broken.');
  await types('Expected outcomes', 'The refund was maid.');
  await types('Most turns', '1');
  await clicks('Create');
  await page.waitForSelector('[aria-labelledby=passing] li');
  const overview = await opened(serve.browser);
  await overview.goto(serve.url);
  await allShown(overview, '.empty');
  const said = await overview.innerText('.empty');
  expect(await inspected(overview, 'overview-first-run')).toEqual([]);
  await overview.close();
  await reads('the case', headed('Broken lamp'));
  await clicks('Edit');
  await page.waitForSelector('.field:has(> label:text-is("Expected outcomes")) textarea');
  await types('Expected outcomes', OUTCOME);
  await clicks('Save');
  await page.waitForURL((url) => !url.pathname.endsWith('/edit'));
  await reads('what counts as passing', '[aria-labelledby=passing]:has(li)');
  await clicks('Run this case');
  await page.waitForSelector('strong:has-text("Broken lamp")');
  await page.waitForSelector('text=Fill in the language models above.');
  await reads('the form of the run', `${headed('New run')} > p, main form > :not(section)`);
  expect(await inspected(page, 'newcomer-target-models')).toEqual([]);
  const isChosen = await page.isChecked('label:has-text("desk (default)") input');
  await types('Model of the judge', 'bench/judge');
  await reads('the plan', '[aria-labelledby=plan]');
  await clicks('Start this run');
  await allShown(page, '.state.completed');
  waits(5);
  await reads('the result', '.head, [aria-label=Totals], [aria-labelledby=attention]');
  await clicks('Broken lamp');
  await allShown(page, '.grade');
  await reads('why it failed', '.head, .grade, .transcript');
  expect(await inspected(page, 'newcomer-target-failed')).toEqual([]);

  await clicks('Change the agent');
  await page.waitForSelector('#field-name');
  await reads('the form of the agent', headed('New agent made of desk'));
  expect(await inspected(page, 'newcomer-target-agent')).toEqual([]);
  await types('System prompt', 'Be kind. Refund broken goods.');
  await clicks('Create, then run again');
  await page.waitForSelector('strong:has-text("Broken lamp")');
  await reads('that it is filled in', '.note, .targets:has(legend:has-text("Targets"))');
  expect(await inspected(page, 'newcomer-target-again')).toEqual([]);
  await page.waitForSelector('#plan');
  await clicks('Start this run');
  await page.waitForURL((url) => !url.pathname.endsWith('/new'));
  await allShown(page, '.state.completed');
  waits(5);
  await reads('the result', '.head, [aria-label=Totals]');
  await clicks('Compare with the run before, of desk');
  await page.waitForSelector('.plain-words');
  await reads('the answer', '.plain-words');
  const answer = await page.textContent('.plain-words');
  const seconds = newcomer.needed();
  expect(await inspected(page, 'newcomer-target-compare')).toEqual([]);
  await page.goto(`${serve.url}/cases`);
  await page.click('main td a:has-text("Broken lamp"), main th a:has-text("Broken lamp")');
  await page.click('text="Run this case"');
  await page.waitForSelector('label:has-text("Model of the judge") input');
  const filled = await page.inputValue('label:has-text("Model of the judge") input');
  await page.waitForSelector('#plan');
  expect(await inspected(page, 'newcomer-target-filled')).toEqual([]);
  await page.goto(`${serve.url}/agents`);
  await allShown(page, '#config-targets');
  expect(await inspected(page, 'agents-of-config')).toEqual([]);
  await clicks('Make an agent of it');
  await page.waitForSelector('#field-name');
  await page.click('text="Create"');
  await page.waitForSelector('text=another agent has the name "desk-agent" (choose another name)');
  const { data } = await serve.ask('GET', '/agents');
  await page.close();
  expect([said, isChosen, filled, answer]).toEqual([
    'No runs here yet. 1 case, 1 target of the config: start a run.',
    true,
    'bench/judge',
    'Better, but inconclusive: 1 case better, 0 cases worse, of 1 case compared. That can be chance.',
  ]);
  expect(data).toMatchObject([{ name: 'desk-agent', version: 1 }]);
  expect(seconds < 300 ? '' : newcomer.told()).toBe('');
});
