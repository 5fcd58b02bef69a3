import { readFileSync, writeFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { openDesk } from '../../test/support/desk.ts';

test('a run that was planned and never begun is executed by who resumes it', async () => {
  const desk = openDesk();
  const run = await desk.plan();
  expect(await desk.verdicts()).toEqual({});
  const outcome = await desk.resume();
  expect([outcome.summary.id, outcome.exitCode]).toEqual([run.manifest.id, 1]);
  expect(await desk.verdicts()).toEqual({ right: 'passed', wrong: 'failed' });
});

test('a resumed run continues where it stopped, and has the results of an uninterrupted run', async () => {
  const desk = openDesk();
  await desk.start({ concurrency: 1 });
  const whole = await desk.rows();
  const stopped = await desk.start({ concurrency: 1, failFast: true });
  expect([stopped.summary.state, await desk.verdicts()]).toEqual(['stopped', { wrong: 'failed' }]);
  const outcome = await desk.resume();
  expect(outcome.summary.state).toBe('completed');
  expect(await desk.rows()).toEqual(whole);
  const { run } = await desk.runs.find('latest');
  const facts = [];
  for await (const { fact } of run.events()) facts.push(fact.type);
  expect(facts.filter((type) => type.startsWith('run-'))).toEqual([
    'run-start',
    'run-state',
    'run-end',
    'run-resume',
    'run-state',
    'run-end',
  ]);
});

test('options of the command line are not planned with again: what was chosen stays chosen', async () => {
  const desk = openDesk();
  await desk.plan({ cases: ['wrong'] });
  desk.write({ 'some.eval.yaml': { tests: [...desk.tests, { ...desk.tests[0], id: 'wrong-too' }] } });
  await desk.resume();
  expect(await desk.verdicts()).toEqual({ wrong: 'failed' });
});

test('a changed case is refused with its name, and is planned anew only when that is asked for', async () => {
  const desk = openDesk();
  await desk.start();
  const [wrong, right] = desk.tests;
  desk.write({ 'some.eval.yaml': { tests: [wrong, { ...right, input: 'another question' }] } });
  await expect(desk.resume()).rejects.toMatchObject({
    code: 'run-changed',
    message: 'changed since the run was planned: suite some.eval.yaml (case right)',
  });
  await desk.resume({ acceptChanges: true });
  const { run } = await desk.runs.find('latest');
  const resumed = [];
  for await (const { fact } of run.events()) if (fact.type === 'run-resume') resumed.push(fact.dropped);
  expect(resumed).toEqual([['some.eval.yaml/right/bot/r1']]);
  await desk.resume();
  expect(await desk.verdicts()).toEqual({ right: 'passed', wrong: 'failed' });
});

test('a changed target is refused, and so is a run without a spec', async () => {
  const desk = openDesk();
  await desk.start();
  desk.write({ 'assay.config.json': { ...desk.config, targets: { bot: { type: 'mock', response: 'y' } } } });
  await expect(desk.resume()).rejects.toMatchObject({
    message: 'changed since the run was planned: the config, target bot',
  });
  const old = await desk.begin();
  await expect(desk.resume({ run: old })).rejects.toMatchObject({
    code: 'run-not-resumable',
    message: `${old} has no run spec: the run spec was deleted, or the run was planned by an earlier version of assay`,
  });
});

test('a run that somebody writes is not resumed by anybody else', async () => {
  const desk = openDesk();
  await desk.plan();
  const { run } = await desk.runs.find('latest');
  const claimed = await desk.runs.claim(run);
  await expect(desk.resume()).rejects.toMatchObject({ code: 'run-in-use' });
  claimed.release();
  expect((await desk.resume()).summary.state).toBe('completed');
});

/** A reporter with hooks, which writes what it gets to a file. */
const HOOKS = `
import { appendFileSync } from 'node:fs';
const say = (text) => appendFileSync(new URL('told.txt', import.meta.url), text + '\\n');
export const reporter = {
  onSuiteStart: ({ cases }) => say('suite of ' + cases.length),
  onCaseFinish: ({ result }) => say(result.caseId + ' ' + result.passed),
  onSuiteFinish: ({ result }) => say('end: ' + result.cases.map((each) => each.caseId + ' ' + each.passed)),
};
`;

test('a reporter with hooks gets the resumed trials, and all results', async () => {
  const desk = openDesk();
  await desk.start({ concurrency: 1, failFast: true });
  writeFileSync(desk.path('hooks.mjs'), HOOKS);
  await desk.resume({}, desk.reporting('./hooks.mjs'));
  expect(readFileSync(desk.path('told.txt'), 'utf8').trim().split('\n')).toEqual([
    'suite of 2',
    'right true',
    'end: wrong false,right true',
  ]);
});

test('a run whose baseline was removed in the meantime says so', async () => {
  const desk = openDesk();
  await desk.plan({ baseline: 'gone' });
  await expect(desk.resume()).rejects.toMatchObject({
    code: 'run-not-found',
    message: 'the run gone, which this run is compared with, no longer exists',
    hint: 'start the run again, with another baseline or without one',
  });
});
