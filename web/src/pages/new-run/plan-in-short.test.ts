import { expect, test } from 'vitest';

import { planInShort } from './plan-in-short.ts';

const plan = (cases: number, targets: readonly string[], usd: number | null = 0) => ({
  trials: cases * targets.length,
  cases: Array.from({ length: cases }, (_, at) => ({ id: `c${at}`, targets, repeat: 1 })),
  estimate: { usd, parts: [], unknown: [] },
});

test('a plan says how many cases its targets need to show a change', () => {
  expect([
    planInShort(plan(5, ['a'])),
    planInShort(plan(6, ['a'])),
    planInShort(plan(6, ['a', 'b'])),
    planInShort(plan(7, ['a', 'b'], null)),
  ]).toEqual([
    '5 trials, estimated cost $0. Fewer than 6 cases cannot show a change between two runs.',
    '6 trials, estimated cost $0.',
    '12 trials, estimated cost $0. Fewer than 7 cases cannot show a change between two runs of 2 targets.',
    '14 trials, cost unknown.',
  ]);
});

test('skipped cases do not count', () => {
  const { cases, ...rest } = plan(6, ['a']);
  const skipped = cases.map((each, at) => (at === 0 ? { ...each, skip: { kind: 'skip' } } : each));
  expect(planInShort({ ...rest, cases: skipped })).toMatch(/Fewer than 6 cases/);
});
