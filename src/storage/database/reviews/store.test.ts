import { beforeEach, expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { complete, redactor } from '../../../../test/support/written-runs.ts';
import { keptAccount } from '../../../../test/support/kept-account.ts';
import type { NewReview, Review } from '../../../core/review-store.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { all, ended, manifestOf, of, rowOf } from '../../run-directory/fixtures/runs.ts';
import { databaseRuns } from '../runs/store.ts';
import { databaseReviews } from './store.ts';

const GRADE = { type: 'contains', score: 1, passed: true, weight: 1, reason: '', durationMs: 1 };

onBothDatabases('reviews', (database) => {
  const reviews = () => databaseReviews(database());
  let run: string;
  let ann: string;
  let bob: string;
  beforeEach(async () => {
    const runs = databaseRuns({ database: database(), folder: '/none', fold: TALLY_FOLD });
    const begun = await runs.create({
      startedAt: Date.UTC(2026, 0, 1),
      redactor,
      manifest: (id) => manifestOf({ id, state: 'running' }),
    });
    const grades = ['polite', 'short'].map((name) => ({ ...GRADE, name }));
    await complete(begun, [
      of('a', { type: 'trial-start', number: 1 }),
      of('b', { type: 'trial-start', number: 2 }),
      ended(rowOf('a', { grades })),
    ]);
    run = begun.manifest.id;
    [ann, bob] = [
      await keptAccount(database(), 'ann@example.com'),
      await keptAccount(database(), 'bob@example.com'),
    ];
  });
  const added = async (review: Partial<NewReview> = {}): Promise<Review> => {
    const given = {
      runId: run,
      trialNumber: 1,
      accountId: ann,
      expectation: null,
      note: null,
      seenJudge: false,
    };
    const outcome = await reviews().add({ verdict: 'passed', ...given, ...review });
    if (outcome.outcome !== 'added') throw new Error(outcome.outcome);
    return outcome.review;
  };

  test('tell who said what about which trial', async () => {
    const review = await added({
      expectation: 'polite',
      verdict: 'failed',
      note: 'rude\u0000',
      seenJudge: true,
    });
    expect(review).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      runId: run,
      trialNumber: 1,
      trial: 's/a/t/r1',
      accountId: ann,
      by: 'ann@example.com',
      expectation: 'polite',
      verdict: 'failed',
      note: 'rude\uFFFD',
      seenJudge: true,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      holds: true,
    });
    expect(await reviews().ofTrial(run, 1)).toEqual([review]);
    expect(await reviews().ofTrial(run, 2)).toEqual([]);
  });

  test('are only added: the last one of an account on an expectation holds', async () => {
    const first = await added({ expectation: 'polite' });
    const whole = await added();
    const other = await added({ expectation: 'polite', accountId: bob });
    const last = await added({ expectation: 'polite', verdict: 'failed' });
    expect(await reviews().ofTrial(run, 1)).toEqual([{ ...first, holds: false }, whole, other, last]);
    expect(await all(reviews().holding({}))).toEqual([whole, other, last]);
  });

  test('that hold are filtered by run, and by whether the grades were seen', async () => {
    await added({ expectation: 'short', seenJudge: false });
    const seen = await added({ expectation: 'short', seenJudge: true });
    const unseen = await added({ expectation: 'polite' });
    expect(await all(reviews().holding({ runId: run, seenJudge: true }))).toEqual([seen]);
    // The earlier one of the same account does not hold any more.
    expect(await all(reviews().holding({ seenJudge: false }))).toEqual([unseen]);
    expect(await all(reviews().holding({ runId: 'another' }))).toEqual([]);
  });

  test('of one trial that are added at once have different times', async () => {
    await Promise.all(Array.from({ length: 8 }, () => added()));
    const times = (await reviews().ofTrial(run, 1)).map(({ at }) => at);
    expect(new Set(times).size).toBe(8);
    expect(await all(reviews().holding({}))).toHaveLength(1);
  });

  test('are listed beyond a page', async () => {
    await database().query(
      `insert into review (run_id, trial_number, account_id, expectation, verdict, seen_judge)
       select $1, 1, $2::uuid, 'e' || n, 'passed', false from generate_series(1, 603) as n`,
      [run, ann],
    );
    const found = await all(reviews().holding({}));
    expect(new Set(found.map(({ expectation }) => expectation)).size).toBe(603);
    expect(found).toHaveLength(603);
  });

  test('need a trial that has ended, and an expectation that it has', async () => {
    const review = { runId: run, trialNumber: 1, accountId: ann, verdict: 'passed', note: null } as const;
    const add = (more: Partial<NewReview>) =>
      reviews().add({ ...review, expectation: null, seenJudge: false, ...more });
    expect(await add({ trialNumber: 3 })).toEqual({ outcome: 'unknown-trial' });
    expect(await add({ trialNumber: 2 })).toEqual({ outcome: 'trial-not-ended' });
    expect(await add({ expectation: 'polit' })).toEqual({
      outcome: 'unknown-expectation',
      expectations: ['polite', 'short'],
    });
    expect(await reviews().ofTrial(run, 1)).toEqual([]);
  });
});
