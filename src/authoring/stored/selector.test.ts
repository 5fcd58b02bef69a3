import { expect, test } from 'vitest';

import { checkStoredCase } from './check.ts';
import type { LoadedCase } from './load.ts';
import { selectCases, type CaseSelector } from './selector.ts';

const loaded = (written: object): LoadedCase => {
  const { value } = checkStoredCase(written);
  if (value === undefined) throw new Error('it is no case');
  return { ...value, file: 'f', directory: '/', mocks: [], movedMocks: 0 };
};

const cases = [
  { name: 'a', tags: ['x', 'y'], description: 'Wants a REFUND of 50%_' },
  { name: 'b', tags: ['y'], difficulty: 'hard' },
  { name: 'c', tags: ['x'], status: 'draft' },
  { name: 'd', status: 'archived', difficulty: 'hard' },
].map(loaded);

test.each<[CaseSelector, string]>([
  [{}, 'a b'],
  [{ status: ['any'] }, 'a b c d'],
  [{ status: ['active'] }, 'a b'],
  [{ status: ['draft', 'archived'] }, 'c d'],
  [{ status: ['any'], difficulty: ['hard'] }, 'b d'],
  [{ tagAny: ['x', 'z'] }, 'a'],
  [{ tagAny: ['x', 'z'], status: ['any'] }, 'a c'],
  [{ tagAll: ['x', 'y'] }, 'a'],
  [{ tagAll: ['y'], difficulty: ['hard'] }, 'b'],
  [{ search: 'refund' }, 'a'],
  [{ search: '50%_' }, 'a'],
  [{ search: '5_' }, ''],
  [{ ids: ['c', 'a'], status: ['active'] }, 'a c'],
  [{ ids: ['c', 'a'] }, 'a c'],
])('%j selects %s', (selector, names) => {
  const { cases: chosen, unknown } = selectCases(cases, selector);
  expect([chosen.map(({ case: stored }) => stored.name).join(' '), unknown]).toEqual([names, []]);
});

test('one that is named and unknown is told with the nearest', () => {
  const long = [loaded({ name: 'renew one book' })];
  expect(selectCases(long, { ids: ['renew one bok', '42'] }).unknown).toEqual([
    { id: 'renew one bok', meant: 'renew one book' },
    { id: '42' },
  ]);
});
