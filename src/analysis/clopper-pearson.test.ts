import { expect, test } from 'vitest';

import { bestLower95, cleanTrialsFor, clopperPearson, lower95 } from './clopper-pearson.ts';
import { leastCoverage } from './simulation.fixture.ts';

/** To three digits, as published. */
test.each([
  [3, 3, 0.292, 1],
  [5, 5, 0.478, 1],
  [10, 10, 0.692, 1],
  [20, 20, 0.832, 1],
  [59, 59, 0.939, 1],
  [4, 5, 0.284, 0.995],
  [9, 10, 0.555, 0.997],
  [27, 30, 0.735, 0.979],
  [0, 10, 0, 0.308],
])('%d of %d lie in the published interval', (hits, trials, lower, upper) => {
  const interval = clopperPearson(hits, trials);
  expect(interval?.lower).toBeCloseTo(lower, 3);
  expect(interval?.upper).toBeCloseTo(upper, 3);
});

test('no trials have no interval and no bound', () => {
  expect([clopperPearson(0, 0), lower95(0, 0)]).toEqual([null, null]);
});

test('a two-sided 95 % interval holds the true rate in at least 95 % of runs, whatever the rate', () => {
  for (let trials = 3; trials <= 30; trials++) {
    const { coverage, rate } = leastCoverage(trials);
    expect(coverage, `${trials} trials at a rate of ${rate}`).toBeGreaterThanOrEqual(0.95);
  }
});

test('the fewest clean trials that show a rate are 14, 29, 59 and 299, and one fewer do not', () => {
  const rates = [0.8, 0.9, 0.95, 0.99];
  expect(rates.map(cleanTrialsFor)).toEqual([14, 29, 59, 299]);
  for (const rate of rates) {
    const needed = cleanTrialsFor(rate);
    expect(lower95(needed, needed)).toBeGreaterThanOrEqual(rate);
    expect(lower95(needed - 1, needed - 1)).toBeLessThan(rate);
    expect(bestLower95(needed)).toBeCloseTo(lower95(needed, needed) ?? 0, 12);
  }
  expect([cleanTrialsFor(0), cleanTrialsFor(1)]).toEqual([0, Infinity]);
});

test('a one-sided bound needs no more than a fraction of a trial', () => {
  expect(lower95(81 * 0.9, 81)).toBeCloseTo(0.827, 3);
});
