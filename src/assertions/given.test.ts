import { expect, test } from 'vitest';

import { givenShown } from './given.ts';

test.each<[unknown, string]>([
  [undefined, 'undefined'],
  ['a\nb', String.raw`'a\nb'`],
  [Promise.resolve('x'), 'a promise'],
  [{ a: { b: { c: 1 } } }, '{ a: { b: [Object] } }'],
  ['x'.repeat(500), `'${'x'.repeat(199)}...`],
])('%j is shown on one line', (value, shown) => {
  expect(givenShown(value)).toBe(shown);
});
