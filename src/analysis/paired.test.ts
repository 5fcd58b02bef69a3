import { describe, expect, test } from 'vitest';

import { comparePairs } from './paired.ts';
import { fewestFlips } from '../lib/fewest-flips.ts';
import { casesToDetect, smallestChange } from './smallest-change.ts';

const OPTIONS = { alpha: 0.05, margin: 0.05 };
const ZEROS = (length: number) => Array.from({ length }, () => 0);

test('six of forty that fall and none that rises are a regression', () => {
  const result = comparePairs([...ZEROS(34), -1, -1, -1, -1, -1, -1], OPTIONS);
  expect(rounded(result)).toEqual({
    verdict: 'regressed',
    pairs: 40,
    informative: 6,
    worse: 6,
    better: 0,
    difference: -0.15,
    interval: { lower: -0.2657, upper: -0.0343 },
    p: 0.0313,
    draws: 'all',
    unequal: 0,
    level: 0.05,
    smallestSeen: 0.164,
  });
});

test('the paired t interval is that of the textbook', () => {
  // Mean 0.1, standard deviation 0.2, 9 degrees of freedom: 0.1 +- 2.2622 * 0.2 / sqrt(10).
  const spread = 0.2 * Math.sqrt(0.9);
  const differences = Array.from({ length: 10 }, (_, i) => 0.1 + (i % 2 === 0 ? spread : -spread));
  const { difference, interval } = comparePairs(differences, OPTIONS);
  expect(difference).toBeCloseTo(0.1, 12);
  expect(interval.lower).toBeCloseTo(0.1 - (2.262_157_163 * 0.2) / Math.sqrt(10), 8);
  expect(interval.upper).toBeCloseTo(0.1 + (2.262_157_163 * 0.2) / Math.sqrt(10), 8);
});

describe('fewer than two pairs that differ are bounded by the rule of three', () => {
  test('none in 60 is equivalence within 5 points, none in 59 is not', () => {
    const [sixty, fewer] = [comparePairs(ZEROS(60), OPTIONS), comparePairs(ZEROS(59), OPTIONS)];
    expect([sixty.verdict, sixty.interval]).toEqual(['equivalent', { lower: -0.05, upper: 0.05 }]);
    expect(fewer.verdict).toBe('inconclusive');
  });

  test('one in 40', () => {
    expect(comparePairs([...ZEROS(39), -1], OPTIONS).interval).toEqual({ lower: -0.1, upper: 0.05 });
  });

  test('a single pair knows nothing', () => {
    expect(rounded(comparePairs([0.5], OPTIONS))).toEqual({
      verdict: 'inconclusive',
      pairs: 1,
      informative: 1,
      worse: 0,
      better: 1,
      difference: 0.5,
      interval: { lower: -1, upper: 1 },
      p: 1,
      draws: 'all',
      unequal: 0,
      level: 0.05,
      smallestSeen: null,
      casesNeeded: { cases: 150, to: 'see-margin' },
    });
  });
});

test('cases that all change alike have an interval that is not a point', () => {
  const { interval, verdict } = comparePairs(
    Array.from({ length: 30 }, () => -0.5),
    OPTIONS,
  );
  expect([verdict, interval]).toEqual(['regressed', { lower: -0.6, upper: -0.4 }]);
});

test('cases that all change alike leave the smallest change that shows to be bounded as flips are', () => {
  const alike = comparePairs(
    Array.from({ length: 40 }, () => 0.1 + 0.2),
    OPTIONS,
  );
  const flips = comparePairs(
    Array.from({ length: 40 }, () => 1),
    OPTIONS,
  );
  expect(alike.smallestSeen).toBeCloseTo(flips.smallestSeen ?? 0, 12);
  expect(alike.smallestSeen).toBeGreaterThan(0.1);
});

test('no number of cases shows that nothing has changed by nothing', () => {
  const same = comparePairs(ZEROS(10), { ...OPTIONS, margin: 0 });
  expect([same.verdict, same.casesNeeded]).toEqual(['inconclusive', undefined]);
});

test('rounding errors do not count as differences', () => {
  const result = comparePairs([...ZEROS(99), 0.1 + 0.2 - 0.3], OPTIONS);
  expect([result.informative, result.difference, result.verdict]).toEqual([0, 0, 'equivalent']);
});

test('a clear rise is an improvement, and a stricter alpha takes more', () => {
  const differences = [...ZEROS(34), 1, 1, 1, 1, 1, 1];
  expect(comparePairs(differences, OPTIONS).verdict).toBe('improved');
  expect(comparePairs(differences, { ...OPTIONS, alpha: 0.01 }).verdict).toBe('inconclusive');
  expect([fewestFlips(0.05), fewestFlips(0.01), fewestFlips(0.5)]).toEqual([6, 8, 3]);
});

test('what inconclusive pairs would need is more than there are', () => {
  for (const [falls, rises, same] of [
    [3, 1, 36],
    [60, 45, 300],
    [0, 0, 10],
    [500, 460, 40],
  ] as const) {
    const differences = [...ZEROS(same), ...ZEROS(falls).map(() => -1), ...ZEROS(rises).map(() => 1)];
    const { verdict, casesNeeded, pairs } = comparePairs(differences, OPTIONS);
    expect(verdict).toBe('inconclusive');
    expect(casesNeeded?.cases).toBeGreaterThan(pairs);
  }
});

test.each([
  [4, 0, 150, 188],
  [12, 4, 260, 261],
])(
  '%d falls and %d rises among %d that come out like these are decided by the number that is told',
  (falls, rises, pairs, told) => {
    const scaled = (cases: number) => {
      const counts = [falls, rises].map((count) => Math.round((count * cases) / pairs)) as [number, number];
      const same = ZEROS(Math.round(cases) - counts[0] - counts[1]);
      const moved = [...ZEROS(counts[0]).map(() => -1), ...ZEROS(counts[1]).map(() => 1)];
      return comparePairs([...same, ...moved], OPTIONS);
    };
    const { verdict, casesNeeded } = scaled(pairs);
    expect([verdict, casesNeeded]).toEqual(['inconclusive', { cases: told, to: 'decide' }]);
    expect(scaled(told * 1.1).verdict).not.toBe('inconclusive');
  },
);

test('the smallest change that so many cases show is the change that needs so many cases', () => {
  const scores = { variance: 0.04, flipSize: 0, areFlips: false };
  const flips = { variance: 0.1, flipSize: 1, areFlips: true };
  for (const noise of [scores, flips]) {
    for (const cases of [40, 150, 1000]) {
      const change = smallestChange(cases, noise, 0.05) ?? 0;
      expect(Math.abs(casesToDetect(change, noise, 0.05) - cases)).toBeLessThanOrEqual(1);
    }
  }
});

test('fewer cases than can flip one way show nothing at all', () => {
  expect(
    [5, 6].map((cases) => smallestChange(cases, { variance: 0, flipSize: 1, areFlips: true }, 0.05)),
  ).toEqual([null, 1]);
});

function rounded(value: object): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'number' ? Math.round(inner * 1e4) / 1e4 : inner,
    ),
  );
}

test('one case with more repetitions leaves what the others can show', () => {
  const differences = [0, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0];
  const one = [{ at: 0, base: [1], candidate: [1, 1, 1, 1, 1] }];
  const equal = comparePairs(differences, OPTIONS).smallestSeen;
  const mixed = comparePairs(differences, OPTIONS, one).smallestSeen;
  expect([equal, mixed].map((seen) => seen?.toFixed(2))).toEqual(['0.50', '0.51']);
});
