import { expect, test } from 'vitest';

import { isSameList, memberList, membersBody, moved, withRepetitions } from './member-list.ts';

const list = memberList([
  { test_case_id: 'a', repetitions: 1 },
  { test_case_id: 'b', repetitions: 2 },
  { test_case_id: 'c', repetitions: 1 },
]);
const idsOf = (of: typeof list) => of.map(({ id }) => id).join('');

test('a member moves to a place, at most to an end', () => {
  const places = [
    moved(list, 0, 2),
    moved(list, 2, 0),
    moved(list, 1, 9),
    moved(list, 1, -1),
    moved(list, 7, 0),
  ];
  expect(places.map(idsOf)).toEqual(['bca', 'cab', 'acb', 'bac', 'abc']);
});

test('repetitions are sent as numbers, and what is not a number as it was typed', () => {
  const typed = withRepetitions(withRepetitions(list, 'a', ' 3 '), 'b', 'x');
  expect(membersBody(typed)).toEqual([
    { test_case_id: 'a', repetitions: 3 },
    { test_case_id: 'b', repetitions: 'x' },
    { test_case_id: 'c', repetitions: 1 },
  ]);
});

test('lists are the same if they save the same', () => {
  const named = list.map((member) => ({ ...member, name: 'x' }));
  expect([isSameList(list, named), isSameList(list, moved(list, 0, 1))]).toEqual([true, false]);
});
