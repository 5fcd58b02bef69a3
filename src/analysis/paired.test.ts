import { describe, expect, test } from 'vitest';

import { seededRandom } from '../lib/random.ts';
import { casesToDetect, comparePairs, fewestFlips, smallestChange } from './paired.ts';

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
    interval: { lower: -0.2984, upper: -0.022 },
    p: 0.0313,
    draws: 'all',
    smallestSeen: 0.164,
  });
});

test('of a change that is seen the interval is the paired t of the textbook', () => {
  // Mean 0.3, standard deviation 0.2, 9 degrees of freedom: 0.3 +- 2.2622 * 0.2 / sqrt(10).
  const spread = 0.2 * Math.sqrt(0.9);
  const differences = Array.from({ length: 10 }, (_, i) => 0.3 + (i % 2 === 0 ? spread : -spread));
  const { difference, interval } = comparePairs(differences, OPTIONS);
  expect(difference).toBeCloseTo(0.3, 12);
  expect(interval.lower).toBeCloseTo(0.3 - (2.262_157_163 * 0.2) / Math.sqrt(10), 8);
  expect(interval.upper).toBeCloseTo(0.3 + (2.262_157_163 * 0.2) / Math.sqrt(10), 8);
});

describe('few pairs that differ are bounded exactly', () => {
  test('none in 72 is equivalence within 5 points, none in 71 is not', () => {
    const [enough, fewer] = [comparePairs(ZEROS(72), OPTIONS), comparePairs(ZEROS(71), OPTIONS)];
    // 1 - 0.025^(1/72)
    expect([enough.verdict, rounded(enough.interval)]).toEqual([
      'equivalent',
      { lower: -0.0499, upper: 0.0499 },
    ]);
    expect(fewer.verdict).toBe('inconclusive');
  });

  test.each([
    [1, 80, -0.0677],
    [2, 100, -0.0704],
    [3, 130, -0.066],
  ])('%d of %d that fall may be more than 5 points', (fallen, pairs, lower) => {
    const { verdict, interval } = comparePairs(
      [...ZEROS(pairs - fallen), ...ZEROS(fallen).map(() => -1)],
      OPTIONS,
    );
    expect([verdict, rounded(interval.lower)]).toEqual(['inconclusive', lower]);
  });

  test('those that fall by a part count by it, and what is unseen counts whole', () => {
    // Of 100: 3.62 % for none, 5.45 % for one, 7.04 % for two; of the fall of two by half, half of what they add.
    const { interval } = comparePairs([...ZEROS(98), -0.5, -0.5], OPTIONS);
    expect(rounded(interval.lower)).toBe(-0.0533);
  });

  test('a single pair knows next to nothing', () => {
    expect(rounded(comparePairs([0.5], OPTIONS))).toEqual({
      verdict: 'inconclusive',
      pairs: 1,
      informative: 1,
      worse: 0,
      better: 1,
      difference: 0.5,
      interval: { lower: -0.5901, upper: 0.9875 },
      p: 1,
      draws: 'all',
      smallestSeen: null,
      casesNeeded: { cases: 150, to: 'see-margin' },
    });
  });
});

test('an interval holds 0 just when the change is not seen', () => {
  // Of five that fall in a hundred p is 0.06, and their t interval would lie below 0.
  const five = comparePairs([...ZEROS(95), -1, -1, -1, -1, -1], OPTIONS);
  expect([five.verdict, rounded(five.p), five.interval.upper]).toEqual(['inconclusive', 0.0625, 0]);
  const random = seededRandom(3);
  const disagreeing = Array.from({ length: 300 }, (_, i) => {
    const size = i % 3;
    const differences = Array.from({ length: 8 + (i % 60) }, () => {
      const step = Math.floor(random() * 5) - 2.4 + size / 3;
      return size === 0 ? Math.sign(Math.trunc(step)) : size === 1 ? step / 3 : Math.trunc(step) / 5;
    });
    const { p, interval } = comparePairs(differences, OPTIONS);
    const [within, touched] = [
      interval.lower < 0 && interval.upper > 0,
      interval.lower <= 0 && interval.upper >= 0,
    ];
    return p < 0.05 ? within : !touched;
  });
  expect(disagreeing).not.toContain(true);
});

test('cases that all change alike have an interval that is not a point', () => {
  const { interval, verdict } = comparePairs(
    Array.from({ length: 30 }, () => -0.5),
    OPTIONS,
  );
  expect([verdict, rounded(interval)]).toEqual(['regressed', { lower: -0.6157, upper: -0.3843 }]);
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

test('differences in the last digits are none', () => {
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
  [4, 0, 150, 225],
  [12, 4, 260, 294],
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

function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'number' ? Math.round(inner * 1e4) / 1e4 : inner,
    ),
  );
}
