import { expect, test } from 'vitest';

import { AssayError } from '../core/errors.ts';
import type { RunOptions } from '../core/run-options.ts';
import type { StoredRun } from '../core/run-store.ts';
import { openDesk } from '../../test/support/desk.ts';
import { activeRuns } from './active-runs.ts';
import type { RunOutcome } from './conduct/run-site.ts';
import { startRun } from './start-run.ts';

test('a run whose server is closed is interrupted, without a signal as the reason', async () => {
  const desk = openDesk();
  const faults: unknown[] = [];
  const runs = activeRuns(desk.surroundings, (fault) => faults.push(fault));
  const options: RunOptions = { patterns: [], targets: [], cases: [], seed: 7 };
  let closed: PromiseLike<void> | undefined;
  const id = await runs.begin((site) =>
    startRun(options, {
      ...site,
      begun: (run) => {
        closed = runs[Symbol.asyncDispose]();
        site.begun?.(run);
      },
    }),
  );
  await closed;
  const run = desk.runs.open(id);
  const { state, exitCode, noEvidence } = await run.manifest();
  const reasons = [];
  for await (const { fact } of run.events()) if (fact.type === 'run-state') reasons.push(fact);
  expect({ state, exitCode, noEvidence, reasons, faults }).toEqual({
    state: 'interrupted',
    exitCode: 3,
    noEvidence: 'The run was interrupted before its end, so the results are inconclusive (exit code 3).',
    reasons: [{ type: 'run-state', state: 'interrupted', reason: 'the server was stopped' }],
    faults: [],
  });
});

test('a run that ended because its results could not be written says so', async () => {
  const desk = openDesk();
  const faults: unknown[] = [];
  const runs = activeRuns(desk.surroundings, (fault) => faults.push(fault));
  const failure = new AssayError('results-not-written', 'the disk is full', { stage: 'log' });
  const ended = runs.begin(async (site) => {
    site.begun?.({ name: 'r' } as StoredRun);
    return { exitCode: 5, unwritten: [], failure, summary: {} as RunOutcome['summary'] };
  });
  expect(await ended).toBe('r');
  await runs[Symbol.asyncDispose]();
  expect(faults).toEqual([failure]);
});

test('a run whose server is closed before it begins is refused as the server refuses others', async () => {
  const runs = activeRuns(openDesk().surroundings, () => undefined);
  const begun = runs.begin(
    ({ interrupt: { stop } }) =>
      new Promise<RunOutcome>((_, reject) => stop.addEventListener('abort', () => reject(stop.reason))),
  );
  await Promise.all([
    expect(begun).rejects.toMatchObject({ code: 'server-stopping' }),
    runs[Symbol.asyncDispose](),
  ]);
});
