import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { seededRandom } from '../lib/random.ts';
import { addSignFlips, signFlip } from './sign-flip.ts';

const flips = (worse: number, better: number, same = 0) => [
  ...Array.from({ length: worse }, () => -1),
  ...Array.from({ length: better }, () => 1),
  ...Array.from({ length: same }, () => 0),
];

/** Exact McNemar values as published. */
test.each([
  [5, 0, 0.0625],
  [6, 0, 0.031_25],
  [6, 1, 0.125],
  [8, 2, 0.109_375],
  [10, 3, 0.092_285_156_25],
  [15, 5, 0.041_389_465_332_031_25],
])('of 0/1 with one repetition it is the exact McNemar test: %d against %d', (worse, better, p) => {
  expect(signFlip(flips(worse, better, 50))).toEqual({ p, draws: 'all' });
  expect(signFlip(flips(better, worse))).toEqual({ p, draws: 'all' });
});

test('the exact p is that of going through every pattern of signs', () => {
  const difference = fc.integer({ min: -6, max: 6 }).map((tenths) => tenths / 10);
  fc.assert(
    fc.property(fc.array(difference, { minLength: 1, maxLength: 11 }), (differences) => {
      expect(signFlip(differences).p).toBeCloseTo(byEveryPattern(differences), 12);
    }),
  );
});

test('twenty informative pairs are counted, with one more patterns are drawn, and both agree', () => {
  const differences = Array.from({ length: 20 }, (_, i) => ((i * 7) % 11) / 11 - 0.3);
  const counted = signFlip(differences);
  const drawn = signFlip([...differences, 1e-6]);
  expect([counted.draws, drawn.draws]).toEqual(['all', 10_000]);
  expect(Math.abs(counted.p - drawn.p)).toBeLessThan(0.015);
});

test('drawn patterns are the same every time, and p is never 0', () => {
  const differences = Array.from({ length: 300 }, (_, i) => 0.5 + (i % 10) / 20);
  expect(signFlip(differences)).toEqual({ p: 1 / 10_001, draws: 10_000 });
  expect(signFlip(differences, 999)).toEqual({ p: 1 / 1000, draws: 999 });
});

test.each([1, 31, 32, 33, 70])('%d flips are counted as they would be added up', (count) => {
  const signs = Array.from({ length: count }, (_, i) => (i % 3 === 0 ? -1 : 1));
  const sumsOf = (differences: readonly number[]) => {
    const sums = new Float64Array(50);
    addSignFlips(sums, Float64Array.from(differences), seededRandom(7));
    return sums;
  };
  const random = seededRandom(7);
  const added = new Float64Array(50);
  for (let from = 0; from < count; from += 32) {
    for (let draw = 0; draw < added.length; draw++) {
      const bits = random() * 2 ** 32;
      for (const [i, sign] of signs.slice(from, from + 32).entries())
        added[draw] = (added[draw] as number) + (Math.floor(bits / 2 ** i) % 2 === 1 ? sign : -sign);
    }
  }
  expect(sumsOf(signs)).toEqual(added);
  // Differences of another size are looked up instead.
  expect(sumsOf(signs.map((sign) => sign / 2))).toEqual(added.map((sum) => sum / 2));
});

test('nothing that differs, and differences that cancel, show nothing', () => {
  expect(signFlip([])).toEqual({ p: 1, draws: 'all' });
  expect(signFlip([0, 0, 0])).toEqual({ p: 1, draws: 'all' });
  expect(signFlip([0.1, 0.2, -0.3])).toEqual({ p: 1, draws: 'all' });
});

function byEveryPattern(differences: readonly number[]): number {
  const total = Math.abs(differences.reduce((sum, each) => sum + each, 0));
  let extreme = 0;
  for (let pattern = 0; pattern < 2 ** differences.length; pattern++) {
    const sum = differences.reduce((all, each, i) => all + ((pattern >> i) & 1 ? each : -each), 0);
    if (Math.abs(sum) >= total - 1e-9) extreme += 1;
  }
  return extreme / 2 ** differences.length;
}
