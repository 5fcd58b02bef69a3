import { expect, test } from 'vitest';

import { isBusy } from './busy.ts';

test.each([
  ['EBUSY', true],
  ['EMFILE', true],
  ['EAGAIN', true],
  ['ENOENT', false],
  ['EACCES', false],
  ['ENOSPC', false],
])('after %s another attempt may work: %s', (code, may) => {
  expect(isBusy(Object.assign(new Error(code), { code }))).toBe(may);
});

test('an error without a code does not go away by waiting', () => {
  expect([isBusy(new Error('x')), isBusy(undefined)]).toEqual([false, false]);
});
