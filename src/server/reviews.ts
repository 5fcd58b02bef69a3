import type { reviewRoutes } from '../api/routes/reviews.ts';
import type { ReviewResource } from '../api/resources/review.ts';
import { agreementWithReviews, labelLine } from '../app/calibration/review-labels.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import type { Review, ReviewStore } from '../core/review-store.ts';
import { given } from '../lib/given.ts';
import { nearest } from '../lib/text/suggest.ts';
import { download } from './download.ts';
import type { HandlersOf } from './operation.ts';
import { byIndex, pageFrom, type PageOrder } from './pages.ts';
import { invalidBody, Refusal } from './refusal.ts';
import { trialLists } from './trial-lists.ts';

export interface ReviewRooms {
  readonly reviews: ReviewStore;
  readonly runs: RunSummaries;
  /** Milliseconds since 1970. */
  now(): number;
}

/** What people say of trials. */
export function reviewHandlers({ reviews, runs, now }: ReviewRooms): HandlersOf<typeof reviewRoutes> {
  const lists = trialLists();
  const placeOf = async ({
    run: reference,
    trial: named,
  }: {
    readonly run: string;
    readonly trial: string;
  }) => {
    const run = await runs.run(reference);
    const { trial } = await lists.find(run, named);
    return { runId: run.name, trialNumber: trial.number };
  };
  return {
    listReviews: async ({ path, query }) => {
      const { runId, trialNumber } = await placeOf(path);
      const all = await reviews.ofTrial(runId, trialNumber);
      const page =
        query.sort === 'at'
          ? pageFrom(all, query, byIndex)
          : pageFrom(all.toReversed(), query, newestFirst(all.length));
      return { ...page, data: page.data.map(reviewResource) };
    },
    addReview: async ({ path, body, actor }) => {
      const place = await placeOf(path);
      const { expectation, verdict, note, seen_judge: seenJudge } = body;
      const review = { ...place, accountId: actor.accountId, expectation, verdict, note, seenJudge };
      const added = await reviews.add(review);
      if (added.outcome === 'unknown-expectation') throw unknownExpectation(expectation, added.expectations);
      if (added.outcome !== 'added') throw notEnded(path);
      return {
        answer: reviewResource(added.review),
        version: added.review.at,
        location: `/runs/${place.runId}/trials/${place.trialNumber}/reviews`,
      };
    },
    listLabels: async ({ query: { run: reference, seen_judge: seenJudge } }) => {
      const runId = reference === undefined ? undefined : (await runs.run(reference)).name;
      const content = labelBytes(reviews, given({ runId, seenJudge }));
      return download({ name: 'labels.jsonl', type: 'application/x-ndjson', content });
    },
    getCalibration: async ({ path, query: { seed, seen_judge: seenJudge } }) => {
      const run = await runs.run(path.run);
      return await agreementWithReviews(run, reviews, { seed, seenJudge, nowMs: now() });
    },
  };
}

function reviewResource(review: Review): ReviewResource {
  const { id, runId, trialNumber, trial, expectation, verdict, note, by, seenJudge, at, holds } = review;
  return {
    id,
    run_id: runId,
    trial_number: trialNumber,
    trial,
    expectation,
    verdict,
    note,
    by,
    seen_judge: seenJudge,
    at,
    holds,
  };
}

async function* labelBytes(
  reviews: ReviewStore,
  filter: Parameters<ReviewStore['holding']>[0],
): AsyncGenerator<Uint8Array> {
  for await (const review of reviews.holding(filter)) yield Buffer.from(labelLine(review));
}

function unknownExpectation(named: string | null, known: readonly string[]): Refusal {
  const near = nearest(named ?? '', known);
  const hint = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  return invalidBody([
    {
      code: 'unknown-expectation',
      param: 'expectation',
      message: `the trial has no grade ${JSON.stringify(named)}`,
      hint: near === undefined ? hint : `did you mean ${near}?`,
    },
  ]);
}

function notEnded({ trial }: { readonly trial: string }): Refusal {
  return new Refusal(404, {
    code: 'trial-not-found',
    message: `the run has no finished trial ${trial}`,
    hint: 'GET /runs/{run}/trials lists the finished trials',
  });
}

/** The order of a list of so many items that only grows at its start. */
function newestFirst(count: number): PageOrder<unknown> {
  return {
    placeOf: (_item, index) => [count - 1 - index],
    compare: ([left], [right]) => (right ?? 0) - (left ?? 0),
  };
}
