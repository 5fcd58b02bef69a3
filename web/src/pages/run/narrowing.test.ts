import { expect, test } from 'vitest';

import { narrowingOf } from './narrowing.ts';

test('a list that is narrowed by a grader, a suite or a stage says so', () => {
  expect(narrowingOf({ grader: 'polite', suite: 's', stage: 'user', test_case_id: 'a' })).toEqual([
    'stage user',
    'suite s',
    'case a',
    'grader polite',
  ]);
  expect(narrowingOf({ status: ['failed', 'errored'], sort: '-score', search: 'x' })).toEqual([
    'status failed or errored',
  ]);
});
