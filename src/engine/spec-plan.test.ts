import { expect, test } from 'vitest';

import { casesOfSpec } from './spec-plan.ts';

const found = casesOfSpec({
  kinds: [
    { suite: 0, targets: ['a', 'b'], repeat: 2, graderCount: 2, terms: 7 },
    { suite: 1, targets: ['a'], repeat: 1, graderCount: 0, mocks: 8, skip: { kind: 'draft' } },
  ],
  cases: { id: ['x', 'y', 'x'], at: [4, 5, 0], kind: [0, 0, 1], digest: [0, 3, 5], graders: [1, 2, 1, 4] },
});

const [x, y, other] = [
  {
    suite: 0,
    index: 4,
    id: 'x',
    targets: ['a', 'b'],
    repeat: 2,
    firstTrial: 0,
    digests: { case: 0, graders: [1, 2], terms: 7 },
  },
  {
    suite: 0,
    index: 5,
    id: 'y',
    targets: ['a', 'b'],
    repeat: 2,
    firstTrial: 4,
    digests: { case: 3, graders: [1, 4], terms: 7 },
  },
  {
    suite: 1,
    index: 0,
    id: 'x',
    targets: ['a'],
    repeat: 1,
    firstTrial: 8,
    digests: { case: 5, graders: [], mocks: 8 },
    skip: { kind: 'draft' },
  },
];

test('cases are made from the columns of a spec, in order or by their place', () => {
  expect([...found]).toEqual([x, y, other]);
  expect([found.length, found.trials, found.at(1)]).toEqual([3, 9, y]);
});

test('cases are found by id, at most one of each suite', () => {
  expect([...found.named('x')]).toEqual([x, other]);
  expect([...found.named('z')]).toEqual([]);
});
