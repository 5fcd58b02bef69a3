import { expect, test } from 'vitest';

import { logIndexes } from '../storage/run-directory/log-index.ts';
import { runDirectories } from '../storage/run-directory/store.ts';
import { ended, note, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import type { Row } from '../core/run.ts';
import { messagesOf, viewedRuns, type Answer } from '../../test/support/viewed-runs.ts';

const { begin, keep, ask, asked } = viewedRuns((folder) =>
  runDirectories(folder, folder, { indexes: logIndexes() }),
);

const error = { stage: 'target', kind: 'timeout', code: 'x', message: 'too slow' } as const;
const unpassed = { passed: false, score: null } as const;

/** Passed, passed, failed, errored, skipped, cancelled. */
const SIX: readonly Partial<Row>[] = [
  {},
  {},
  { verdict: 'failed', status: 'failed', passed: false, score: 0 },
  { ...unpassed, verdict: 'errored', status: 'errored', error },
  { ...unpassed, verdict: 'skipped', status: 'skipped', skipped: 'skip' },
  { ...unpassed, verdict: 'cancelled', status: 'cancelled' },
];
const facts = SIX.map((row, at) => ended(rowOf(`case ${at}`, { number: at + 1, ...row })));

const COUNTS = { total: 6, passed: 2, failed: 1, errored: 1, skipped: 1, cancelled: 1 };
const RATE = {
  value: 0.666666667,
  passed: 2,
  measured: 3,
  ifErroredFailed: 0.5,
  ifErroredPassed: 0.75,
  interval: { lower: expect.closeTo(0.2077, 3), upper: expect.closeTo(0.9385, 3) },
};

/** What each place of the API says of the six. */
async function told(id: string): Promise<Readonly<Record<string, unknown>>> {
  const run = await asked(`/runs/${id}`);
  const [listed] = (await asked('/runs')).data;
  const [target] = run['by_target'] as readonly Answer[];
  const totalsIn = (found: Readonly<Record<string, unknown>> | undefined) => {
    const totals = found?.['totals'] as { counts: unknown; passRate: unknown } | undefined;
    return { counts: totals?.counts, passRate: totals?.passRate };
  };
  return { run: totalsIn(run), listed: totalsIn(listed), target: totalsIn(target) };
}

const countOf = (verdicts: readonly unknown[]) => ({
  total: verdicts.length,
  ...Object.fromEntries(
    Object.keys(COUNTS)
      .slice(1)
      .map((verdict) => [verdict, verdicts.filter((each) => each === verdict).length]),
  ),
});

test('6 = 2 + 1 + 1 + 1 + 1, and the rate is 2 of 3, wherever a run is shown', async () => {
  const id = await keep(1000, facts);
  const both = { counts: COUNTS, passRate: RATE };
  expect(await told(id)).toEqual({ run: both, listed: both, target: both });

  const trials = (await asked(`/runs/${id}/trials`)).data;
  expect(countOf(trials.map(({ verdict }) => verdict))).toEqual(COUNTS);
  const matrix = (await asked(`/runs/${id}/matrix`))['cases'] as readonly {
    cells: { verdict: string }[][];
  }[];
  expect(countOf(matrix.flatMap(({ cells }) => cells.flat().map(({ verdict }) => verdict)))).toEqual(COUNTS);
  expect((await asked('/trends')).data).toMatchObject([
    { counts: COUNTS, rate: RATE.value, interval: RATE.interval, errored: 1 },
  ]);
  const feed = messagesOf(await ask(`/feed?run=${id}`));
  expect(await feed.next()).toMatchObject({
    data: { counts: COUNTS, done: 6, targets: [{ counts: COUNTS }] },
  });
  await feed.end();
  expect(await asked(`/runs/${id}/cost`)).toMatchObject({ total: { trials: 6 }, case_count: 6 });

  const exported = async (format: string) => (await ask(`/runs/${id}/export?format=${format}`)).text();
  const rows = (await exported('jsonl')).trim().split('\n');
  expect(countOf(rows.map((row) => (JSON.parse(row) as Row).verdict))).toEqual(COUNTS);
  expect(await exported('junit')).toMatch(/tests="6" failures="1" errors="1" skipped="2"/);
  for (const format of ['markdown', 'html']) {
    const report = await exported(format);
    expect(report).toMatch(/2\/3 = 66\.7 %|66\.7 % <small>2\/3 passed/);
    expect(report).toMatch(/50 % if all failed, 75 % if all passed/);
  }
});

test('a running run has the same numbers in all places, after each trial that ends', async () => {
  const run = await begin(1000, 6);
  const log = run.openLog(0);
  const { id } = run.manifest;
  for (const [at, fact] of facts.slice(0, 4).entries()) {
    await log.append([fact]);
    const { run: whole, listed, target } = await told(id);
    expect([listed, target]).toEqual([whole, whole]);
    expect(whole).toMatchObject({ counts: { total: at + 1 } });
    expect((await asked(`/runs/${id}/trials`)).data).toHaveLength(at + 1);
    expect((await asked(`/runs/${id}/matrix`))['cases']).toHaveLength(at + 1);
  }
  await log.append([...facts.slice(4), { ...note(''), fact: { type: 'run-end', state: 'completed' } }]);
  log.writeRows();
  log.close();
  run.save({ ...run.manifest, state: 'completed' });
  run.release();
  expect(await told(id)).toMatchObject({ run: { counts: COUNTS, passRate: RATE } });
});

test('three repetitions are three rows and three marks', async () => {
  const id = await keep(
    1000,
    [1, 2, 3].map((repetition) => ended(rowOf('a', { number: repetition, repetition }))),
  );
  const { data } = await asked(`/runs/${id}/trials`);
  expect(data.map(({ case_id, repetition }) => [case_id, repetition])).toEqual([
    ['a', 1],
    ['a', 2],
    ['a', 3],
  ]);
  const [only] = (await asked(`/runs/${id}/matrix`))['cases'] as readonly {
    cells: { repetition: number }[][];
  }[];
  expect(only?.cells[0]?.map(({ repetition }) => repetition)).toEqual([1, 2, 3]);
  const whole = await asked(`/runs/${id}/trials/2`);
  expect(whole['repetitions']).toMatchObject([{ number: 1 }, { number: 2 }, { number: 3 }]);
});

test('where repetitions differ, a point of the trends says of how many cases its rate is the mean', async () => {
  const failing = { verdict: 'failed', status: 'failed', passed: false, score: 0 } as const;
  const id = await keep(1000, [
    ended(rowOf('a', failing)),
    ...[1, 2, 3].map((repetition) => ended(rowOf('b', { number: repetition + 1, repetition }))),
  ]);
  const { passRate } = (await asked(`/runs/${id}`))['totals'] as { passRate: unknown };
  expect(passRate).toMatchObject({ value: 0.5, passed: 3, measured: 4, meanOfCases: 2 });
  expect((await asked('/trends')).data).toMatchObject([{ rate: 0.5, rate_of_cases: 2 }]);
});
