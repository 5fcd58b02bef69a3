import { expect, test } from 'vitest';

import { reviewSearch, tellsGrades } from './review-search.ts';

test('a queue is a run, a trial and the filters of trials', () => {
  expect(reviewSearch({ run: 'r', trial: 3, status: 'failed', tag: 'x', other: 1 })).toEqual({
    run: 'r',
    trial: '3',
    status: ['failed'],
    tag: 'x',
  });
});

test('filters by verdict, grader or score tell the grades, and others do not', () => {
  const telling = [{ status: ['failed'] as const }, { grader: 'kind' }, { sort: '-score' as const }];
  const silent = [{}, { tag: 'x', target: 'desk', search: 'y' }, { sort: 'number' as const }];
  expect([...telling, ...silent].map(tellsGrades)).toEqual([true, true, true, false, false, false]);
});
