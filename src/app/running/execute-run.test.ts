import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import { AssayError, BudgetSpent } from '../../core/errors.ts';
import type { RunEvent } from '../../core/run.ts';
import type { OpenRun, RunStore } from '../../core/run-store.ts';
import { openLedger } from '../../engine/ledger.ts';
import { createRedactor } from '../../lib/redact/redact.ts';
import { memoryRuns } from '../../storage/memory/store.ts';
import { ended, manifestOf, rowOf } from '../../storage/run-directory/fixtures/runs.ts';
import { nothingEarlier } from './earlier.ts';
import { executeRun, type Running } from './execute-run.ts';
import type { RunExecution } from './run-execution.ts';
import { openProgress } from './run-progress.ts';
import { tellingLedger } from './telling-ledger.ts';

/** Never made: no run here has artifacts. */
const FOLDER = join(import.meta.dirname, 'no-such-folder');

async function openRun(runs: RunStore): Promise<OpenRun> {
  return await runs.create({
    startedAt: 1000,
    redactor: createRedactor({ environment: {} }),
    manifest: (id) => manifestOf({ id, state: 'running', trials: 2 }),
  });
}

function execution(run: OpenRun) {
  const shown: RunEvent[] = [];
  const given: RunExecution = {
    run,
    progress: openProgress(run, nothingEarlier()),
    sinks: {
      results: { name: 'json', write: () => {} },
      reports: [{ name: 'kept', write: (event) => void shown.push(event) }],
      onlookers: [],
    },
    control: { stop: signal(), abandon: signal(), stoppedBy: () => undefined },
    now: () => 2000,
    maxErrored: 0,
    repository: Promise.resolve(undefined),
  };
  return { given, shown };
}

const signal = () => new AbortController().signal;

const endings = (events: readonly RunEvent[]) =>
  events.flatMap(({ fact }) => (fact.type === 'trial-end' ? [fact.row.caseId] : []));

test('two runs in one process at once do not meet, and print nothing', async () => {
  const runs = memoryRuns(FOLDER);
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => printed.mockRestore());
  const [one, other] = [execution(await openRun(runs)), execution(await openRun(runs))];
  let meet = () => {};
  const met = new Promise<void>((resolve) => (meet = resolve));
  const work =
    (cases: readonly string[], rendezvous: () => Promise<void> | void) =>
    async ({ stream }: Running) => {
      for (const id of cases) {
        await stream.settle(ended(rowOf(id)));
        await rendezvous();
      }
      return 'completed' as const;
    };
  // Each waits for the other in the middle.
  const results = await Promise.all([
    executeRun(
      one.given,
      work(['a', 'b'], () => met),
    ),
    executeRun(
      other.given,
      work(['c', 'd'], () => meet()),
    ),
  ]);
  expect(results.map(({ exitCode, view, manifest }) => [exitCode, view.ended, manifest?.state])).toEqual([
    [0, 2, 'completed'],
    [0, 2, 'completed'],
  ]);
  expect([endings(one.shown), endings(other.shown)]).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  expect(new Set(results.map(({ id }) => id)).size).toBe(2);
  expect(printed).not.toHaveBeenCalled();
});

test('a run whose results cannot be written ends at once, says why, and does not claim to have ended', async () => {
  const runs = memoryRuns(FOLDER);
  const run = await openRun(runs);
  const result = await executeRun(execution(run).given, async ({ control, fail }) => {
    fail(new AssayError('results-not-written', 'the disk is full', { stage: 'log' }));
    expect([control.stop.aborted, control.abandon.aborted]).toEqual([true, true]);
    return 'interrupted';
  });
  expect([result.exitCode, result.failure?.message, result.manifest]).toEqual([
    5,
    'the disk is full',
    undefined,
  ]);
  expect((await runs.open(result.id).head()).state).toBe('running');
});

test('a report that is lost makes the exit code 5, an onlooker that is lost does not', async () => {
  const lost = {
    name: 'lost',
    write: () => {
      throw new Error('no');
    },
  };
  const codes = [];
  for (const place of ['reports', 'onlookers'] as const) {
    const { given } = execution(await openRun(memoryRuns(FOLDER)));
    const sinks = { ...given.sinks, reports: [], [place]: [lost] };
    const result = await executeRun({ ...given, sinks }, async ({ stream }) => {
      await stream.settle(ended(rowOf('a')));
      return 'completed';
    });
    codes.push(result.exitCode);
  }
  expect(codes).toEqual([5, 0]);
});

test('a run that another process left no budget is stopped by its budget', async () => {
  const ledger = openLedger(1);
  const { given, shown } = execution(await openRun(memoryRuns(FOLDER)));
  const told = tellingLedger(ledger, {
    first: () => Promise.reject(new BudgetSpent('the rest is taken')),
    soon: () => {},
  });
  const result = await executeRun({ ...given, ledger }, async () => {
    await told.reserve({ usd: 0.5, what: 'a' }, signal()).catch(() => undefined);
    return 'stopped';
  });
  expect([result.exitCode, result.manifest?.reason, ledger.refused()?.message]).toEqual([
    4,
    'budget',
    'the rest is taken',
  ]);
  expect(shown.map(({ fact }) => fact)).toContainEqual({
    type: 'run-state',
    state: 'stopped',
    reason: 'budget',
  });
});
