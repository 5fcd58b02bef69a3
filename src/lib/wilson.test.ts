import { expect, test } from 'vitest';

import { wilson } from './wilson.ts';

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
