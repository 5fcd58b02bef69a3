import { expect, test } from 'vitest';

import { emptyTally } from './tally.ts';
import { passRate, percentile, spreadOf, totalsOf, wilson } from './totals.ts';

test.each([
  [3, 3, 0.439, 1],
  [5, 5, 0.566, 1],
  [10, 10, 0.722, 1],
  [0, 3, 0, 0.561],
  [18, 20, 0.699, 0.972],
])('the Wilson interval of %i of %i is [%d, %d]', (hits, trials, lower, upper) => {
  const interval = wilson(hits, trials)!;
  expect([interval.lower, interval.upper].map((end) => Number(end.toFixed(3)))).toEqual([lower, upper]);
});

test('an interval has never a width of zero and always holds the rate', () => {
  for (let trials = 1; trials <= 60; trials++) {
    for (let hits = 0; hits <= trials; hits++) {
      const { lower, upper } = wilson(hits, trials)!;
      expect(upper - lower).toBeGreaterThan(0);
      expect(lower).toBeLessThanOrEqual(hits / trials);
      expect(upper).toBeGreaterThanOrEqual(hits / trials);
    }
  }
  expect(wilson(0, 0)).toBeNull();
});

test('errored trials are in neither part of the rate and span its bounds', () => {
  expect(passRate({ passed: 6, failed: 2, errored: 2 })).toMatchObject({
    value: 0.75,
    passed: 6,
    measured: 8,
    ifErroredFailed: 0.6,
    ifErroredPassed: 0.8,
  });
});

test('repetitions count as one trial in the interval, and as themselves in the rate', () => {
  const [once, five] = [
    passRate({ passed: 20, failed: 5, errored: 0 }),
    passRate({ passed: 100, failed: 25, errored: 0 }, 5),
  ];
  expect(five).toEqual({ ...once, passed: 100, measured: 125 });
  expect(five.interval).toEqual(wilson(20, 25));
});

test('a run in which all errored has no rate, and anything from 0 to 1 is possible', () => {
  expect(passRate({ passed: 0, failed: 0, errored: 3 })).toEqual({
    value: null,
    passed: 0,
    measured: 0,
    ifErroredFailed: 0,
    ifErroredPassed: 1,
    interval: null,
  });
});

test('a percentile lies at position p(n+1), interpolated, inside the values', () => {
  expect(percentile([], 0.5)).toBeNull();
  expect(percentile([7], 0.95)).toBe(7);
  expect(percentile([1, 2, 3, 4], 0.5)).toBe(2.5);
  expect(percentile([10, 20, 30, 40, 50, 60, 70, 80, 90], 0.25)).toBe(25);
});

test('p95 needs twenty values', () => {
  const values = Array.from({ length: 20 }, (_, index) => 20 - index);
  expect(spreadOf(values.slice(1))).toEqual({ n: 19, p50: 10, p95: null, max: 19, mean: 10 });
  expect(spreadOf(values)).toEqual({ n: 20, p50: 10.5, p95: 19.95, max: 20, mean: 10.5 });
  expect(spreadOf([])).toEqual({ n: 0, p50: null, p95: null, max: null, mean: null });
});

test('the spread of latencies is that of the published values', () => {
  const tens = Array.from({ length: 20 }, (_, index) => 10 * (index + 1));
  expect(spreadOf(tens)).toEqual({ n: 20, p50: 105, p95: 199.5, max: 200, mean: 105 });
  expect(spreadOf([100, 200, 300])).toEqual({ n: 3, p50: 200, p95: null, max: 300, mean: 200 });
});

test('money is rounded to nine decimals and its unknown parts are counted', () => {
  const costs = {
    agent: { knownUsd: 0.1 + 0.2, known: 2, unknown: 1 },
    user: { knownUsd: -1e-17, known: 0, unknown: 0 },
    judge: { knownUsd: 0.005, known: 1, unknown: 0 },
  };
  const { costUsd } = totalsOf({ ...emptyTally, costUsd: costs });
  expect(costUsd.agent.knownUsd).toBe(0.3);
  expect(costUsd.user.knownUsd).toBe(0);
});
