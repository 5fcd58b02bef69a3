import { expect, test } from 'vitest';

import { askedCases, caseFilters } from './case-filters.ts';

test('filters of an address that cases do not have are left out', () => {
  const search = {
    status: 'gone',
    difficulty: 'hard',
    tag_any: ['a', 'a', 7, {}],
    tag_all: '',
    search: '',
    set: 'x',
  };
  expect(caseFilters(search)).toEqual({ difficulty: 'hard', tag_any: ['a', '7'], set: 'x' });
  expect(caseFilters({ status: 'any', tag_all: 'b' })).toEqual({ status: 'any', tag_all: ['b'] });
});

test('filters are asked for as lists', () => {
  expect(askedCases({ status: 'draft', tag_all: ['b'], search: 's' })).toEqual({
    status: ['draft'],
    tag_all: ['b'],
    search: 's',
  });
  expect(askedCases({})).toEqual({});
});
