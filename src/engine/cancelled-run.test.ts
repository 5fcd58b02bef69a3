import { expect, test } from 'vitest';

import type { Row } from '../core/run.ts';
import type { OpenRun } from '../core/run-store.ts';
import type { Target } from '../core/target.ts';
import { trialKey } from '../core/trial.ts';
import { readSummary } from '../reading/summary.ts';
import { manifestOf } from '../storage/run-directory/fixtures/runs.ts';
import { memoryRuns } from '../storage/memory/store.ts';
import { all } from '../storage/run-directory/fixtures/runs.ts';
import { redactor } from '../../test/support/written-runs.ts';
import { openEventStream } from './event-stream.ts';
import { runSchedule } from './run-schedule.ts';
import {
  expects,
  graderOf,
  hangingTurn,
  says,
  sceneOf,
  targetOf,
  turnOf,
  until,
} from './fixtures/trial-context.ts';
import { caseOf, planOf, suiteOf } from './fixtures/suites.ts';
import { runTrial } from './run-trial.ts';
import { createSchedule } from './schedule.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

const cases = ['a', 'b', 'c'].map((id) => caseOf(id, { expectations: [expects('fine')] }));
const plan = planOf([suiteOf('s', cases)]);
const never = new AbortController().signal;

interface Work {
  readonly run: OpenRun;
  readonly lastSequence: number;
  readonly targetOf: (caseId: string) => Target;
  readonly cancel?: AbortSignal;
  readonly earlier?: readonly Row[];
}

/** Runs two trials at once, but for those that ended well before. */
async function work({ run, lastSequence, earlier = [], ...input }: Work) {
  const log = run.openLog(lastSequence);
  const stream = openEventStream({ log, sinks: [], now: Date.now, onFailure: () => {} });
  const again = new Map(earlier.map((row) => [trialKey(row), row]));
  const { context } = sceneOf({
    context: {
      caseOf: ({ place }) => cases[place.index] ?? caseOf('none'),
      target: async () => ({
        open: (world, signal) => input.targetOf(world.trial.caseId).open(world, signal),
      }),
      graderFor: () => graderOf([{ score: 1, reason: 'fine' }]),
      emit: stream.emit,
      settle: stream.settle,
    },
  });
  const state = await runSchedule({
    schedule: createSchedule({
      plan,
      digestOfTarget: () => 0,
      mostParallel: () => 2,
      before: new Map([...again].flatMap(([key, row]) => (row.passed ? [[key, true]] : []))),
      recall: (trial) => ({ ...trial, earlier: again.get(trial.key)?.attempts ?? [] }),
    }),
    context,
    runOne: (trial, signal) => runTrial(trial, context, signal),
    concurrency: 2,
    failFast: false,
    control: { stop: never, cancel: input.cancel, abandon: never },
  });
  const at = new Date().toISOString();
  await stream.settle({ at, fact: { type: 'run-state', state } });
  await stream.close();
  log.writeRows();
  log.close();
  return state;
}

test('a cancelled run is counted whole wherever it is read, and what was cancelled is run again', async () => {
  const folder = folderOfTest('assay-cancel-');
  const store = memoryRuns(folder);
  const manifest = (id: string) => manifestOf({ id, state: 'running', trials: 3 });
  const run = await store.create({ startedAt: 0, redactor, manifest });
  const plannedAs = { trials: 3, trialsByTarget: { bot: 3 }, seed: 1 };
  const log = run.openLog(0);
  await log.append([
    {
      at: '2026-01-01T00:00:00.000Z',
      fact: {
        type: 'run-start',
        formatVersion: 1,
        plan: plannedAs,
        digests: { suites: {}, targets: {} },
      },
    },
  ]);
  log.close();

  const cancel = new AbortController();
  let opened = 0;
  const going = work({
    run,
    lastSequence: 1,
    cancel: cancel.signal,
    targetOf: () => targetOf([(opened += 1) === 1 ? turnOf([says('hi')]) : hangingTurn([says('half')])]),
  });
  const entries = async () =>
    (await all(run.stored.events())).filter(({ fact }) => fact.type === 'transcript-entry');
  await until(() => opened === 3);
  while ((await entries()).length < 6) await new Promise((resolve) => setImmediate(resolve));
  cancel.abort();
  expect(await going).toBe('stopped');

  const stored = store.open(run.manifest.id);
  const rows = await all(stored.rows());
  expect(rows.map(({ caseId, number, verdict }) => [caseId, number, verdict])).toEqual([
    ['a', 1, 'passed'],
    ['b', 2, 'cancelled'],
    ['c', 3, 'cancelled'],
  ]);
  expect(await stored.counts()).toMatchObject({ passed: 1, cancelled: 2 });
  const { view } = await readSummary(stored, 10);
  expect(view.total.counts).toMatchObject({ total: 3, passed: 1, skipped: 0, cancelled: 2 });
  const [key = ''] = rows.slice(1).map(trialKey);
  const transcript = (await stored.transcripts(new Set([key]))).get(key) ?? [];
  expect(transcript.map((entry) => entry.type === 'message' && entry.parts)).toEqual([
    [{ text: 'hello' }],
    [{ text: 'half' }],
  ]);

  const { length } = await all(stored.events());
  const resumed = work({
    run,
    lastSequence: length,
    earlier: rows,
    targetOf: () => targetOf([turnOf([says('hi')])]),
  });
  expect(await resumed).toBe('completed');
  const after = await all(store.open(run.manifest.id).rows());
  expect(after.map(({ number, verdict, attempts }) => [number, verdict, attempts.length])).toEqual([
    [1, 'passed', 1],
    [2, 'passed', 2],
    [3, 'passed', 2],
  ]);
});
