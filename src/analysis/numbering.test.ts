import { expect, test } from 'vitest';

import { numbering } from './numbering.ts';

const letters = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => `digest ${from + i}`);

test('equal digests have equal numbers wherever they stand in their lists', () => {
  const numbers = numbering();
  expect(Array.from(numbers.list(['a', 'b', 'c']))).toEqual([0, 1, 2]);
  expect(Array.from(numbers.list(['a', 'c', 'x', 'b', 'y']))).toEqual([0, 2, 3, 1, 4]);
  expect(Array.from(numbers.list(['y', 'b']))).toEqual([4, 1]);
});

test('the same holds where most digests stand elsewhere', () => {
  const numbers = numbering();
  numbers.list(letters(0, 50));
  const shifted = Array.from(numbers.list(letters(10, 50)));
  expect(shifted).toEqual(Array.from({ length: 50 }, (_, i) => i + 10));
});

test('texts have numbers that no digest has', () => {
  const numbers = numbering();
  numbers.list(['a', 'b']);
  expect([numbers.text('a b'), numbers.text('b a'), numbers.text('a b')]).toEqual([-2, -3, -2]);
});

test('a case has one number and one name, whichever run it is in', () => {
  const numbers = numbering();
  const first = numbers.case('s', 'a');
  expect(first).toEqual({ number: 0, name: { suite: 's', caseId: 'a' } });
  expect(numbers.case('other', 'a').number).toBe(1);
  expect(numbers.case('s', 'a').name).toBe(first.name);
});
