import { expect, test } from 'vitest';

import { effectiveTrials, squareBy } from './effective-trials.ts';

function effectiveOf(repetitionsOfCases: readonly number[]): number {
  const repetitions = repetitionsOfCases.flatMap((count) => Array.from({ length: count }, (_, i) => i + 1));
  const squares = repetitions.reduce((sum, repetition) => sum + squareBy(repetition), 0);
  return effectiveTrials({ trials: repetitions.length, squares });
}

test('cases with as many repetitions count once each', () => {
  expect([effectiveOf([1, 1, 1, 1]), effectiveOf([3, 3, 3, 3]), effectiveOf([])]).toEqual([4, 4, 0]);
});

test('one case that ran often does not make every other one count less', () => {
  expect(effectiveOf([30, ...Array.from({ length: 70 }, () => 1)])).toBeCloseTo(100 ** 2 / (900 + 70), 9);
});

test('where only late repetitions were decided it is still one verdict at least, and never more than there are', () => {
  expect(effectiveTrials({ trials: 1, squares: squareBy(5) })).toBe(1);
  expect(effectiveTrials({ trials: 2, squares: 2 })).toBe(2);
});
