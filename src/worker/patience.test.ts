import { expect, test } from 'vitest';

import { openPatience } from './patience.ts';

test('it is over when trials were left to others for so long, and begins anew after that', () => {
  let now = 0;
  const patience = openPatience(100, () => now);
  const at = (ms: number, leavesSome: boolean): boolean => {
    now = ms;
    return patience.isOver(leavesSome);
  };
  expect([at(0, true), at(99, true), at(100, true), at(101, true), at(200, true), at(201, true)]).toEqual([
    false,
    false,
    true,
    false,
    false,
    true,
  ]);
});

test('a look that finds nothing left to others ends the waiting', () => {
  let now = 0;
  const patience = openPatience(100, () => now);
  expect(patience.isOver(true)).toBe(false);
  now = 60;
  expect(patience.isOver(false)).toBe(false);
  now = 120;
  expect(patience.isOver(true)).toBe(false);
});
