import { expect, test } from 'vitest';

import { passAll, passAt } from './pass-at.ts';

test('three passes of five give the published chances', () => {
  const at = [1, 2, 3, 4].map((k) => round(passAt(5, 3, k)));
  const all = [1, 2, 3, 4].map((k) => round(passAll(5, 3, k)));
  expect({ at, all }).toEqual({ at: [0.6, 0.9, 1, 1], all: [0.6, 0.3, 0.1, 0] });
});

test('published checks of larger numbers hold', () => {
  expect(round(passAt(10, 3, 5))).toBe(0.9167);
  expect(round(passAll(8, 6, 4))).toBe(0.2143);
});

test('exactly k repetitions say whether any and whether all of them passed', () => {
  expect([passAt(3, 0, 3), passAt(3, 1, 3), passAll(3, 2, 3), passAll(3, 3, 3)]).toEqual([0, 1, 0, 1]);
});

test('fewer repetitions than k say nothing', () => {
  expect([passAt(2, 2, 3), passAll(2, 2, 3)]).toEqual([null, null]);
});

function round(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e4) / 1e4;
}
