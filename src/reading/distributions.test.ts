import { expect, test } from 'vitest';

import { rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { usageOf } from '../core/usage.ts';
import { collectDistributions } from './distributions.ts';

const found = (rows: readonly Parameters<typeof rowOf>[1][], target?: string) => {
  const collector = collectDistributions();
  for (const [at, row] of rows.entries()) collector.add(rowOf(String(at), row));
  return Object.fromEntries(collector.distributions(target).map((each) => [each.measure, each]));
};

test('scores stand in ten buckets, the last of which has the score 1', () => {
  const { score } = found([{ score: 1 }, { score: 0.95 }, { score: 0.3 }, { score: 0 }]);
  expect(score?.buckets.map(({ count }) => count)).toEqual([1, 0, 0, 1, 0, 0, 0, 0, 0, 2]);
  expect(score?.buckets[3]).toEqual({ from: 0.3, to: 0.4, count: 1 });
  expect(score).toMatchObject({ n: 4, min: 0, max: 1, mean: 0.5625 });
});

test('other values stand in at most twenty buckets of a round width that hold all of them', () => {
  const { latency, duration } = found([{ durationMs: 7, latency: [10, 200, 4000] }]);
  expect(latency?.buckets.length).toBeLessThanOrEqual(20);
  expect(latency?.buckets[0]).toEqual({ from: 0, to: 500, count: 2 });
  expect(latency?.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  expect(duration?.buckets).toEqual([{ from: 7, to: 8, count: 1 }]);
});

test('tiny sums of money keep their digits', () => {
  const { cost } = found([{ costUsd: { agent: 1e-8 } }, { costUsd: { agent: 5e-8 } }]);
  expect(cost?.buckets.at(-1)).toEqual({ from: 4.5e-8, to: 5e-8, count: 1 });
});

test('only measured trials and known costs count, for all targets or for one', () => {
  const rows = [
    { score: 1, usage: { agent: usageOf(1, 2) }, costUsd: { agent: null } },
    { target: 'other', score: 0, costUsd: { agent: 1, judge: 5 } },
    { verdict: 'errored' as const, status: 'errored' as const, score: null },
  ];
  const { score, tokens, cost } = found(rows);
  expect([score?.n, tokens?.mean, cost?.max]).toEqual([2, 3, 1]);
  expect(found(rows, 'other')['score']?.n).toBe(1);
  expect(found([])['cost']).toMatchObject({ n: 0, min: null, buckets: [] });
});
