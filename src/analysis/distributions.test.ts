import { describe, expect, test } from 'vitest';

import {
  betaQuantile,
  incompleteBeta,
  logGamma,
  normalCdf,
  normalQuantile,
  studentQuantile,
} from './distributions.ts';

test('the gamma function has its known values', () => {
  expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 14);
  expect(logGamma(11)).toBeCloseTo(Math.log(3_628_800), 13);
  expect(logGamma(1)).toBeCloseTo(0, 14);
});

describe('the incomplete beta function', () => {
  test.each([
    [0.3, 5, 1, 0.3 ** 5],
    [0.3, 1, 5, 1 - 0.7 ** 5],
    [0.5, 2, 3, 0.6875],
    [0.5, 400, 400, 0.5],
    [0, 2, 3, 0],
    [1, 2, 3, 1],
  ])('of %d with a %d and b %d is exact', (x, a, b, expected) => {
    expect(incompleteBeta(x, a, b)).toBeCloseTo(expected, 12);
  });

  test('is the upper tail of a binomial, term by term', () => {
    for (const trials of [5, 30, 120]) {
      for (const hits of [1, Math.ceil(trials / 2), trials]) {
        expect(incompleteBeta(0.37, hits, trials - hits + 1)).toBeCloseTo(upperTail(trials, hits, 0.37), 11);
      }
    }
  });

  test('is undone by its quantile', () => {
    for (const [a, b] of [
      [1, 1],
      [0.5, 20],
      [3, 8],
      [990, 11],
      [1, 100_000],
    ] as const) {
      for (const p of [0.0001, 0.025, 0.5, 0.95, 0.9999]) {
        expect(incompleteBeta(betaQuantile(p, a, b), a, b)).toBeCloseTo(p, 11);
      }
    }
  });
});

/** From printed tables. */
test.each([
  [0.975, 1, 12.706_204_736],
  [0.95, 5, 2.015_048_373],
  [0.975, 10, 2.228_138_852],
  [0.975, 30, 2.042_272_456],
  [0.025, 30, -2.042_272_456],
  [0.8, 9, 0.883_403_86],
  [0.5, 7, 0],
])('the Student quantile of %d with %d degrees of freedom is that of the tables', (p, freedom, expected) => {
  expect(studentQuantile(p, freedom)).toBeCloseTo(expected, 8);
});

test.each([
  [0.975, 1.959_963_984_540_054],
  [0.8, 0.841_621_233_572_914],
  [0.9999, 3.719_016_485_455_709],
  [0.05, -1.644_853_626_951_472],
  [0.5, 0],
])('the normal quantile of %d is that of the tables, and its function undoes it', (p, expected) => {
  expect(normalQuantile(p)).toBeCloseTo(expected, 12);
  expect(normalCdf(expected)).toBeCloseTo(p, 14);
});

function upperTail(trials: number, from: number, rate: number): number {
  let sum = 0;
  let chance = (1 - rate) ** trials;
  for (let hits = 0; hits <= trials; hits++) {
    if (hits >= from) sum += chance;
    chance *= ((trials - hits) / (hits + 1)) * (rate / (1 - rate));
  }
  return sum;
}
