import { expect, test } from 'vitest';

import { NOTHING_TO_RESUME, resumeBodyOf } from './resume-body.ts';

test('an empty form asks for nothing more than to go on', () => {
  expect(resumeBodyOf(NOTHING_TO_RESUME)).toEqual({});
});

test('everything that is asked for is sent', () => {
  const asked = {
    errored: true,
    cancelled: true,
    budget: '2.5',
    concurrency: 'x',
    unknownCost: true,
    acceptChanges: true,
  };
  expect(resumeBodyOf(asked)).toEqual({
    retry: ['errored', 'cancelled'],
    budget_usd: 2.5,
    concurrency: 'x',
    allow_unknown_cost: true,
    accept_changes: true,
  });
});
