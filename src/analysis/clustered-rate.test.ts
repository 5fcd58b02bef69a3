import { expect, test } from 'vitest';

import { lower95 } from './clopper-pearson.ts';
import { clusteredRate } from './clustered-rate.ts';

const counts = (...passed: number[]) => passed.map((each) => ({ passed: each, measured: 5 }));

test('without repetitions every trial counts', () => {
  const trials = [...Array.from({ length: 27 }, () => 1), 0, 0, 0].map((passed) => ({ passed, measured: 1 }));
  expect(clusteredRate(trials)).toEqual({
    rate: 0.9,
    cases: 30,
    trials: 30,
    standardError: expect.closeTo(Math.sqrt((0.9 * 0.1) / 29), 12),
    designEffect: 1,
    effective: 30,
    lower95: lower95(27, 30),
  });
});

test('repetitions of one case count by how alike they are', () => {
  const found = clusteredRate(counts(5, 5, 5, 5, 0, 0, 0, 0));
  // Half of the cases pass for ever and half never: 40 trials say a little less than 8.
  expect(found).toMatchObject({ rate: 0.5, cases: 8, trials: 40, designEffect: expect.closeTo(40 / 7, 12) });
  expect(found?.effective).toBeCloseTo(7, 12);
  const mixed = clusteredRate(counts(3, 2, 4, 1, 3, 2, 2, 3));
  expect([mixed?.designEffect, mixed?.effective]).toEqual([1, 40]);
});

test('the bound is never above what as many clean cases show', () => {
  const almost = clusteredRate(
    Array.from({ length: 20 }, (_, i) => ({ passed: i === 0 ? 4 : 5, measured: 5 })),
  );
  expect(almost?.lower95).toBeCloseTo(0.05 ** (1 / 20), 12);
});

test('unmeasured cases are left out, cases of unlike size weigh the same, one case has no error', () => {
  expect(
    clusteredRate([
      { passed: 0, measured: 0 },
      { passed: 10, measured: 10 },
      { passed: 0, measured: 1 },
    ])?.rate,
  ).toBe(0.5);
  expect(clusteredRate([{ passed: 3, measured: 5 }])).toMatchObject({ standardError: null, effective: 1 });
  expect(clusteredRate([])).toBeNull();
});

test('a case that is repeated more often than the others adds no more than its own certainty', () => {
  const once = Array.from({ length: 19 }, () => ({ passed: 1, measured: 1 }));
  const found = clusteredRate([...once, { passed: 50, measured: 100 }]);
  // 20^2 / (19 + 1/100): the trials of 20 cases with as many repetitions each that would know the mean as well.
  expect([found?.rate, found?.trials]).toEqual([0.975, 119]);
  expect(found?.effective).toBeCloseTo(400 / 19.01, 12);
});
