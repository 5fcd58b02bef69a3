import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { holmLevels } from './holm-levels.ts';

test('one p meets alpha itself, and those that are missing do not count', () => {
  expect(holmLevels([0.04], 0.05)).toEqual([0.05]);
  expect(holmLevels([undefined, 0.04, undefined], 0.05)).toEqual([0.05, 0.05, 0.05]);
});

test('the smallest of four is held against a quarter, the next against a third, until one misses', () => {
  // The textbook's: 0.01 and 0.013 are below 0.0125 and 0.0167, 0.03 is not below 0.025, and 0.04 is not checked.
  expect(holmLevels([0.03, 0.01, 0.04, 0.013], 0.05)).toEqual([0.025, 0.0125, 0.025, 0.05 / 3]);
});

test('it calls what the adjusted p of Holm calls', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 }),
      (ps) => {
        const levels = holmLevels(ps, 0.05);
        expect(ps.map((p, i) => p < (levels[i] ?? 0))).toEqual(adjusted(ps).map((p) => p < 0.05));
      },
    ),
  );
});

/** The largest of (m - rank) p so far. */
function adjusted(ps: readonly number[]): readonly number[] {
  return ps.map((own) => {
    const sorted = ps.toSorted((one, other) => one - other);
    const upTo = sorted.filter((p) => p <= own);
    return Math.max(...upTo.map((p, rank) => (ps.length - rank) * p));
  });
}
