import { expect, test } from 'vitest';

import { checkStoredCase } from './check.ts';
import type { LoadedCase } from './load.ts';
import type { CaseSelector } from '../../core/run-options.ts';
import { isCalled, selectCases, unknownCases } from './selector.ts';

const loaded = (written: object): LoadedCase => {
  const { value } = checkStoredCase(written);
  if (value === undefined) throw new Error('invalid test case');
  return { ...value, file: 'f', directory: '/', written: new Set(), mocks: [], movedMocks: 0 };
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

test('a case is found by its id, in upper or lower case, and by its name', () => {
  const id = '3f2a8a5e-7d0f-4c52-9c0f-0f4f6d2f8a11';
  const [first, second, third] = [{ name: 'a', id }, { name: 'b' }, { name: 'a' }].map(loaded);
  if (first === undefined || second === undefined || third === undefined) throw new Error('no cases');
  const chosen = (...ids: readonly string[]) => selectCases([first, second, third], { ids });
  expect(chosen(id)).toEqual({ cases: [first], unknown: [] });
  expect(chosen(id.toUpperCase(), 'b')).toEqual({ cases: [first, second], unknown: [] });
  expect(chosen('a')).toEqual({ cases: [first, third], unknown: [] });
  expect([isCalled(first, 'a'), isCalled(first, id), isCalled(first, 'b')]).toEqual([true, true, false]);
});

test('unknown names are reported, each with the nearest known one', () => {
  const id = '3f2a8a5e-7d0f-4c52-9c0f-0f4f6d2f8a11';
  const long = [loaded({ name: 'renew one book', id })];
  const ids = ['renew one bok', '42', `${id.slice(0, -1)}2`];
  const told = (message: string, hint: string) => ({ file: 'cases', code: 'unknown-case', message, hint });
  expect(unknownCases(selectCases(long, { ids }), 'cases')).toEqual([
    told('no test case has the id or name "renew one bok"', 'did you mean "renew one book"?'),
    told('no test case has the id or name "42"', '`assay cases list PATH` shows them'),
    told(`no test case has the id or name "${ids[2]}"`, `did you mean "${id}"?`),
  ]);
});
