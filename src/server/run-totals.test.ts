import { expect, test } from 'vitest';

import { ended, note, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { failed, viewedRuns } from '../../test/support/viewed-runs.ts';

const { begin, keep, asked } = viewedRuns();

test('a running run has the totals of each target, in the order of its config', async () => {
  const targets = ['t', 'u'].map((name) => ({ name, type: 'mock', config: {}, digest: 0 }));
  const run = await begin(1000, 4, { targets });
  const log = run.openLog(0);
  const plan = { trials: 4, trialsByTarget: { u: 2, t: 2 }, seed: 1 };
  const digests = { suites: {}, targets: {} };
  const latency = Array.from({ length: 20 }, (_, at) => 10 * (at + 1));
  await log.append([
    { ...note(''), fact: { type: 'run-start', formatVersion: 1, plan, digests } },
    ended(rowOf('a', { target: 'u', number: 2, latency })),
    failed('b', 1),
  ]);
  const [one, other] = (await asked(`/runs/${run.manifest.id}`))['by_target'] as readonly object[];
  expect(one).toMatchObject({
    target: 't',
    planned: 2,
    totals: { counts: { total: 1, failed: 1 }, passRate: { value: 0 } },
    latency_p50_ms: null,
    latency_p95_ms: null,
    judging: null,
  });
  expect(other).toMatchObject({ target: 'u', planned: 2, latency_p50_ms: 105, latency_p95_ms: 199.5 });
  log.close();
  run.release();
});

test('where repetitions differ between cases each case counts once, as in results.json', async () => {
  const id = await keep(1000, [
    ...[1, 2, 3].map((repetition) => ended(rowOf('a', { number: repetition, repetition }))),
    failed('b', 4),
  ]);
  const rate = { value: 0.5, passed: 3, measured: 4, meanOfCases: 2 };
  const run = await asked(`/runs/${id}`);
  expect(run['totals']).toMatchObject({ passRate: rate, score: { mean: 0.5, n: 4, meanOfCases: 2 } });
  expect(run['by_target']).toMatchObject([{ totals: { passRate: rate } }]);
  expect((await asked('/trends')).data).toMatchObject([{ rate: 0.5 }]);
});

test('a run tells the rate of the run that it was compared with, as long as that is there', async () => {
  const base = await keep(1000, [ended(rowOf('a')), failed('b')]);
  const baselineOf = async (named: string) => {
    const run = await begin(2_000_000, 1);
    const baseline = { base: named, verdict: 'regressed', sentence: 'regressed: ...' };
    run.save({ ...run.manifest, state: 'completed', baseline });
    run.release();
    return (await asked(`/runs/${run.manifest.id}`))['baseline'];
  };
  const told = { verdict: 'regressed', sentence: 'regressed: ...' };
  expect(await baselineOf(base)).toEqual({ run_id: base, ...told, rate: 0.5 });
  for (const gone of ['20200101T000000Z-aaaaaa', `../${base}`, '/etc']) {
    expect(await baselineOf(gone)).toEqual({ run_id: gone, ...told, rate: null });
  }
});
