import { expect, test } from 'vitest';

import { storedRuns } from '../../../test/support/stored-runs.ts';
import type { Review, ReviewFilter } from '../../core/review-store.ts';
import { trialKey } from '../../core/trial.ts';
import { rowOf } from '../../storage/run-directory/fixtures/runs.ts';
import { agreementWithReviews, labelLine } from './review-labels.ts';

const GRADE = {
  name: 'polite',
  type: 'llm_judge',
  score: 1,
  passed: true,
  weight: 1,
  reason: '',
  durationMs: 1,
};
const ROW = rowOf('a', { grades: [GRADE] });

const reviewOf = (overrides: Partial<Review>): Review => ({
  id: 'x',
  runId: '',
  trialNumber: 1,
  trial: trialKey(ROW),
  accountId: 'ann',
  by: 'ann@example.com',
  expectation: 'polite',
  verdict: 'passed',
  note: null,
  seenJudge: false,
  at: '2026-01-01T00:00:00.000000Z',
  holds: true,
  ...overrides,
});

test('a grading is calibrated with reviews of its own, then with those of the run that it graded', async () => {
  const { runs, keep } = storedRuns();
  const source = await keep([ROW]);
  const graded = await keep([ROW], { kind: 'grade', sourceRunId: source });
  const all = [
    reviewOf({ runId: source, verdict: 'failed' }),
    reviewOf({ runId: source, accountId: 'bob', by: 'bob@example.com' }),
    reviewOf({ runId: graded }),
    reviewOf({ runId: graded, expectation: null, verdict: 'failed' }),
  ];
  const asked: ReviewFilter[] = [];
  const holding = async function* (filter: ReviewFilter) {
    asked.push(filter);
    for (const review of all) if (review.runId === filter.runId) yield review;
  };
  const options = { nowMs: 0, seenJudge: false };
  const { runId, graders, unused, reviewers } = await agreementWithReviews(
    runs.open(graded),
    { holding },
    options,
  );
  // Ann's later verdict counts, so the two people agree.
  expect([runId, graders.map(({ calibration }) => [calibration.labels, calibration.truePasses])]).toEqual([
    graded,
    [[1, 1]],
  ]);
  expect(unused).toEqual({ 'of whole trials, which say nothing about a single grader': 1 });
  expect(reviewers).toEqual([
    {
      reviewers: ['ann@example.com', 'bob@example.com'],
      verdicts: 1,
      agreed: 1,
      share: { value: 1, lower: 0.206549314, upper: 1 },
      kappa: null,
    },
  ]);
  expect(asked).toEqual([
    { runId: source, seenJudge: false },
    { runId: graded, seenJudge: false },
  ]);
});

test('a label names the trial by its run, and leaves an absent note out', () => {
  expect(labelLine(reviewOf({ runId: 'r' }))).toBe(
    '{"trial":"r/s/a/t/r1","expectation":"polite","verdict":"passed","by":"ann@example.com"}\n',
  );
  expect(JSON.parse(labelLine(reviewOf({ runId: 'r', expectation: null, note: 'why' })))).toEqual({
    trial: 'r/s/a/t/r1',
    expectation: null,
    verdict: 'passed',
    note: 'why',
    by: 'ann@example.com',
  });
});
