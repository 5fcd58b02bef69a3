import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { sampleIndices, seededRandom } from './random.ts';

const take = (seed: number, count: number): number[] => Array.from({ length: count }, seededRandom(seed));

describe('seededRandom', () => {
  test('gives the same numbers for the same seed, in every version of assay', () => {
    expect(take(7, 3)).toEqual(take(7, 3));
    expect(take(7, 3).map((number) => number.toFixed(9))).toEqual([
      '0.011704753',
      '0.061958258',
      '0.976907633',
    ]);
  });

  test('gives the bits of the next numbers at once', () => {
    const [one, other] = [seededRandom(7), seededRandom(7)];
    const bits = new Int32Array(5);
    one.drawBits(bits);
    expect(Array.from(bits, (each) => (each >>> 0) / 2 ** 32)).toEqual(Array.from({ length: 5 }, other));
    expect(one()).toBe(other());
  });

  test('gives other numbers for another seed', () => {
    expect(take(1, 3)).not.toEqual(take(2, 3));
  });

  test('is within 0 and 1, and even enough', () => {
    const numbers = take(42, 20_000);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    const buckets = Array.from({ length: 10 }, () => 0);
    for (const number of numbers)
      buckets[Math.floor(number * 10)] = (buckets[Math.floor(number * 10)] ?? 0) + 1;
    for (const bucket of buckets) expect(Math.abs(bucket - 2000)).toBeLessThan(200);
  });
});

describe('sampleIndices', () => {
  test('draws so many distinct indices, in ascending order, the same by the same seed', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(60), fc.nat(), (length, count, seed) => {
        const drawn = sampleIndices(length, count, seededRandom(seed));
        expect(drawn).toHaveLength(Math.min(length, count));
        expect(drawn).toEqual([...new Set(drawn)].sort((left, right) => left - right));
        expect(drawn.every((index) => index >= 0 && index < length)).toBe(true);
        expect(sampleIndices(length, count, seededRandom(seed))).toEqual(drawn);
      }),
    );
  });

  test('draws every index about as often', () => {
    const counts = Array.from({ length: 5 }, () => 0);
    const random = seededRandom(3);
    for (let i = 0; i < 5000; i++) {
      for (const index of sampleIndices(5, 2, random)) counts[index] = (counts[index] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });
});
