import { expect, test } from 'vitest';

import { percentile, spreadOf } from './spread.ts';

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
