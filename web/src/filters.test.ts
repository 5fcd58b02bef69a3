import { expect, test } from 'vitest';

import { askedOf, textsOf, trialFilters } from './filters.ts';

test('filters of an address that the list does not know are left out', () => {
  const search = { status: ['failed', 'broken'], sort: 'name', search: '', target: 2, limit: 9 };
  expect(trialFilters(search)).toEqual({ status: ['failed'], target: '2' });
});

test('one status stands for a list of one', () => {
  expect(trialFilters({ status: 'errored', sort: '-score' })).toEqual({
    status: ['errored'],
    sort: '-score',
  });
});

test('only texts and numbers are texts of an address', () => {
  expect(textsOf({ base: 'a', candidate: { b: 1 }, line: null }, ['base', 'candidate', 'line'])).toEqual({
    base: 'a',
  });
});

test('filters are asked for as they stand', () => {
  expect(askedOf({ status: ['failed'], search: 'x' })).toEqual({ status: ['failed'], search: 'x' });
  expect(askedOf({})).toEqual({});
});
