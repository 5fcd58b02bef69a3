import { expect, test } from 'vitest';

import { addedCases } from './added-cases.ts';

const earlier = { items: ['1', '2'], isWhole: true };
const now = { items: ['1', '2', '3'].map((id) => ({ id, name: `Case ${id}` })), isWhole: true };

test('the cases that an earlier run did not have were added', () => {
  expect(addedCases(earlier, now)).toEqual([{ id: '3', name: 'Case 3' }]);
  expect(addedCases({ ...earlier, items: ['1', '2', '3'] }, now)).toEqual([]);
});

test('of lists that are not loaded whole, nothing is said', () => {
  const part = { isWhole: false };
  expect([
    addedCases({ ...earlier, ...part }, now),
    addedCases(earlier, { ...now, ...part }),
    addedCases(undefined, now),
    addedCases(earlier, undefined),
  ]).toEqual([[], [], [], []]);
});
