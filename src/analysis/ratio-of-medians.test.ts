import { expect, test } from 'vitest';

import { seededRandom } from '../lib/random.ts';
import { ratioOfMedians } from './ratio-of-medians.ts';

test('the ratio is of medians over the cases that are known on both sides', () => {
  const found = ratioOfMedians(
    Float64Array.of(1, 2, 3, 4, Number.NaN, 9),
    Float64Array.of(2, 4, 6, 8, 5, Number.NaN),
  );
  expect(found).toEqual({
    base: 2.5,
    candidate: 5,
    ratio: 2,
    interval: { lower: 2, upper: 2 },
    cases: 4,
  });
});

test('nothing known has no ratio, and a base of 0 has none either', () => {
  expect(ratioOfMedians(Float64Array.of(Number.NaN), Float64Array.of(1))).toBeNull();
  expect(ratioOfMedians(Float64Array.of(0, 0), Float64Array.of(1, 2))).toMatchObject({
    ratio: null,
    interval: null,
  });
});

test('one case has a ratio and no interval', () => {
  expect(ratioOfMedians(Float64Array.of(2), Float64Array.of(3))).toEqual({
    base: 2,
    candidate: 3,
    ratio: 1.5,
    interval: null,
    cases: 1,
  });
});

test('drawing cases and drawing ranks give the same interval, and the same one every time', () => {
  const random = seededRandom(5);
  const pairs = Array.from({ length: 101 }, (): [number, number] => {
    const base = 100 + 100 * random();
    return [base, base * (1 + 0.4 * random())];
  });
  const ratioOf = (some: typeof pairs) =>
    ratioOfMedians(
      Float64Array.from(some, ([base]) => base),
      Float64Array.from(some, ([, candidate]) => candidate),
    );
  const [drawn, ranked] = [ratioOf(pairs.slice(0, 100)), ratioOf(pairs)];
  expect(drawn?.interval?.lower).toBeCloseTo(ranked?.interval?.lower ?? 0, 1);
  expect(drawn?.interval?.upper).toBeCloseTo(ranked?.interval?.upper ?? 0, 1);
  expect((drawn?.interval?.upper ?? 0) - (drawn?.interval?.lower ?? 0)).toBeGreaterThan(0.02);
  expect(ratioOf(pairs)).toEqual(ranked);
});
