import { expect, test } from 'vitest';

import { planSampleSize } from './sample-size.ts';

const REQUEST = { detect: 0.1, alpha: 0.05, cases: 40 };

test('repetitions that vary make more cases needed, and more repetitions fewer', () => {
  const values = Array.from({ length: 50 }, () => [1, 1, 0, 0]);
  const plan = planSampleSize(values, REQUEST);
  expect(plan?.variance).toBeCloseTo(1 / 3, 12);
  expect(plan?.isUpperBound).toBe(false);
  // (1.96 + 0.84)^2 (2/3 / K) / 0.01, and a little more for estimating the spread.
  expect(plan?.sizes.map(({ repetitions, casesIfAlike }) => [repetitions, casesIfAlike])).toEqual([
    [1, 526],
    [2, 264],
    [3, 177],
    [5, 107],
    [10, 55],
  ]);
  expect(plan?.sizes.map(({ cases, trials }) => [cases, trials])).toEqual([
    [594, 594],
    [333, 666],
    [246, 738],
    [176, 880],
    [123, 1230],
  ]);
});

test('without repetitions the differences between cases are an upper bound', () => {
  expect(planSampleSize([[1], [0], [1], [0]], REQUEST)).toMatchObject({
    isUpperBound: true,
    variance: 1 / 3,
  });
});

test('one measured trial says nothing about how much answers vary: it may be as much as can be', () => {
  expect(planSampleSize([[1]], REQUEST)).toMatchObject({ isUpperBound: true, variance: 1 / 4 });
});

test('answers that never vary still take cases in which a change can show', () => {
  const [size] =
    planSampleSize(
      [
        [1, 1],
        [0, 0],
      ],
      REQUEST,
    )?.sizes ?? [];
  expect(size).toMatchObject({ repetitions: 1, cases: 71, casesIfAlike: 6 });
  expect(size?.smallestNow).toBeCloseTo(0.164, 3);
  expect(size?.smallestNowIfAlike).toBe(0);
});

test('nothing measured plans nothing', () => {
  expect(planSampleSize([], REQUEST)).toBeNull();
});
