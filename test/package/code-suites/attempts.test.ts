import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { eventsOf, newestRun, rowOf, rowsOf } from '../../e2e/support/project.ts';
import { claudeCall, claudeRefusal, claudeTurn } from '../../support/claude-lines.ts';
import { recordingOf, startsIn } from '../../support/fake-agent.ts';
import {
  errorOf,
  FAILS,
  ISOLATED,
  jsonIn,
  NEVER,
  PASSES,
  played,
  REPLAY,
  suite,
  DONE,
} from '../support/suites.ts';

test('a provider that answers 503 once costs an attempt, and a failed assertion costs none', async () => {
  await using project = played({
    plans: (path) => ({
      agent: {
        ...REPLAY,
        first: {
          mark: path('mark'),
          plan: { to: 0, after: claudeRefusal(503, 'API Error: 503'), exitCode: 1 },
        },
      },
    }),
    files: { 'a.suite.ts': suite({ once: PASSES, fails: FAILS }, ISOLATED) },
  });
  expect((await project.assay('run')).code).toBe(1);
  const run = newestRun(project);
  expect(rowsOf(run).map(({ verdict, attempts }) => [verdict, attempts.length])).toEqual([
    ['passed', 2],
    ['failed', 1],
  ]);
  const folder = join(run, rowOf(run, 'once').artifactDir ?? '', '..');
  expect(readdirSync(folder).toSorted()).toEqual(['attempt-1', 'attempt-2']);
  expect(jsonIn(folder, 'attempt-1/error.json')).toMatchObject({ kind: 'http-error', stage: 'target' });
  for (const name of ['attempt-1', 'attempt-2'])
    expect(readdirSync(join(folder, name))).toEqual(expect.arrayContaining(['stdout.log', 'workspace.json']));
});

test('a rejected model is asked once, and an answer that quotes such an error blocks nothing', async () => {
  await using project = played({
    plans: (path) => ({
      refused: {
        seen: path('refused.jsonl'),
        recording: recordingOf('claude-code', '2.1.330/error-404'),
        exitCode: 1,
      },
      quotes: {
        seen: path('quotes.jsonl'),
        after: claudeTurn({ answer: 'API Error: 404 model: no-such-model, model is not supported' }),
      },
    }),
    files: { 'a.suite.ts': suite({ one: PASSES, two: PASSES, three: FAILS }, ISOLATED) },
  });
  expect((await project.assay('run')).code).toBe(1);
  const run = newestRun(project);
  const of = (target: string) =>
    rowsOf(run)
      .filter((row) => row.target === target)
      .map(({ verdict, failureClass, error }) => [verdict, failureClass?.id, error?.kind]);
  expect(of('refused')).toEqual(
    Array.from({ length: 3 }, () => ['errored', 'model-rejected', 'model-rejected']),
  );
  expect(of('quotes')).toEqual([
    ['passed', undefined, undefined],
    ['passed', undefined, undefined],
    ['failed', 'assertion', undefined],
  ]);
  const starts = (name: string) => startsIn(project.path(name)).length;
  expect([starts('refused.jsonl'), starts('quotes.jsonl')]).toEqual([1, 3]);
  const blocked = rowsOf(run).filter(({ target, caseId }) => target === 'refused' && caseId !== 'one');
  expect(blocked.map(({ durationMs }) => durationMs)).toEqual([0, 0]);
  for (const { error, artifactDir = '' } of blocked) {
    expect(error?.message).toContain('one');
    expect(jsonIn(run, artifactDir, 'error.json')).toMatchObject({
      kind: 'model-rejected',
      class: { id: 'model-rejected', label: 'Rejected model' },
    });
  }
});

const commandsIn = (run: string) =>
  eventsOf(run).flatMap(({ fact }) =>
    fact.type === 'transcript-entry' && fact.entry.type === 'tool-call' && 'input' in fact.entry
      ? [fact.entry.input]
      : [],
  );
const steps = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    claudeCall(`c${index}`, { name: 'Bash', input: { command: `step ${index}` } }),
  ).flat();

test('after a timeout nothing is asserted, there is no report, and both calls are in the log', async () => {
  await using project = played({
    plans: () => ({ agent: { after: steps(2), silentMs: 600_000 } }),
    files: { 'a.suite.ts': suite({ slow: `timeoutMs: 10_000, ${NEVER}` }, ISOLATED) },
  });
  expect((await project.assay('run')).code).toBe(3);
  const run = newestRun(project);
  const { verdict, error, failureClass, artifactDir = '' } = rowOf(run, 'slow');
  expect([verdict, error?.stage, error?.kind, failureClass]).toEqual([
    'errored',
    'target',
    'timeout',
    { id: 'timeout', label: 'Timeout' },
  ]);
  expect(commandsIn(run)).toEqual([{ command: 'step 0' }, { command: 'step 1' }]);
  expect(existsSync(join(run, artifactDir, 'report.json'))).toBe(false);
  expect(existsSync(join(run, artifactDir, 'stdout.log'))).toBe(true);
  expect(await project.orphans()).toEqual([]);
});

test('with two steps allowed the third ends the agent, and the first two are in the log', async () => {
  await using project = played({
    plans: () => ({ agent: { after: [...steps(3), ...DONE] } }),
    run: { maxSteps: 2 },
    files: { 'a.suite.ts': suite({ long: NEVER }, ISOLATED) },
  });
  expect((await project.assay('run')).code).toBe(3);
  const run = newestRun(project);
  expect(errorOf(run, 'long')).toMatchObject({
    failureOrigin: 'max-steps',
    failureKind: 'max-steps',
    class: { id: 'max-steps', label: 'Max steps exceeded' },
  });
  expect(commandsIn(run).slice(0, 2)).toEqual([{ command: 'step 0' }, { command: 'step 1' }]);
  expect(existsSync(join(run, rowOf(run, 'long').artifactDir ?? '', 'report.json'))).toBe(false);
});
