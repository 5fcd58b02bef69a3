import { expect, test } from 'vitest';
import { given } from './given.ts';

test('keys without a value are left out, and nothing else is', () => {
  const values: { a?: string | undefined; b: null; c: number; d: string } = {
    a: undefined,
    b: null,
    c: 0,
    d: '',
  };
  expect(Object.entries(given(values))).toEqual([
    ['b', null],
    ['c', 0],
    ['d', ''],
  ]);
});
