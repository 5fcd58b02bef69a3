import type {
  AddedReview,
  NewReview,
  Review,
  ReviewFilter,
  ReviewStore,
} from '../../../core/review-store.ts';
import type { Database, Queries, SqlRow } from '../database.ts';
import { plainText, plainTextOf } from '../plain-text.ts';

/** The reviews in a database that has its schema. */
export function databaseReviews(database: Database): ReviewStore {
  return {
    add: (review) => database.transaction((queries) => addReview(queries, review)),
    async ofTrial(runId, trialNumber) {
      const rows = await database.query<KeptReview>(
        `${SELECT} where review.run_id = $1 and trial_number = $2 order by at`,
        [runId, trialNumber],
      );
      return rows.map(reviewOf);
    },
    holding: (filter) => holdingReviews(database, filter),
  };
}

/** Reviews of one trial are added one after the other: their times say which one is the last. */
async function addReview({ query }: Queries, review: NewReview): Promise<AddedReview> {
  const { runId, trialNumber, accountId, verdict, seenJudge } = review;
  const trial = [runId, trialNumber] as const;
  const [found] = await query<{ verdict: string | null }>(
    'select verdict from trial where run_id = $1 and number = $2 for update',
    trial,
  );
  if (found === undefined) return { outcome: 'unknown-trial' };
  if (found.verdict === null) return { outcome: 'trial-not-ended' };
  const expectation = plainTextOf(review.expectation ?? undefined);
  const grades = await query<{ name: string }>(
    'select name from grade where run_id = $1 and trial_number = $2 order by ordinal',
    trial,
  );
  const expectations = grades.map(({ name }) => name);
  if (expectation !== null && !expectations.includes(expectation))
    return { outcome: 'unknown-expectation', expectations };
  const [added] = await query<{ id: string }>(
    `insert into review (run_id, trial_number, account_id, expectation, verdict, note, seen_judge, at)
     select $1, $2, $3::uuid, $4::text, $5, $6, $7::boolean,
       greatest(clock_timestamp(), max(at) + interval '1 microsecond')
     from review where run_id = $1 and trial_number = $2 returning id`,
    [
      ...trial,
      accountId,
      expectation,
      verdict,
      review.note === null ? null : plainText(review.note),
      seenJudge,
    ],
  );
  const [kept] = await query<KeptReview>(`${SELECT} where review.id = $1`, [added?.id ?? null]);
  if (kept === undefined) throw new Error('the review was not added');
  return { outcome: 'added', review: reviewOf(kept) };
}

async function* holdingReviews(
  database: Database,
  { runId, seenJudge }: ReviewFilter,
): AsyncGenerator<Review> {
  let last: readonly [string, number, string, string] = ['', 0, '-infinity', NIL];
  for (let isMore = true; isMore;) {
    const page: readonly KeptReview[] = await database.query<KeptReview>(
      `${SELECT} where (review.run_id, trial_number, at, review.id) > ($1, $2, $3::text::timestamptz, $4::uuid) and ${HOLDS}
         and ($5::text is null or review.run_id = $5) and ($6::boolean is null or seen_judge = $6)
       order by review.run_id, trial_number, at, review.id limit ${PAGE}`,
      [...last, runId ?? null, seenJudge ?? null],
    );
    yield* page.map(reviewOf);
    const end = page.at(-1);
    isMore = page.length === PAGE;
    if (end !== undefined) last = [end.run_id, end.trial_number, end.at, end.id];
  }
}

/** Reviews of one query. */
const PAGE = 500;

const NIL = '00000000-0000-0000-0000-000000000000';

interface KeptReview extends SqlRow {
  readonly id: string;
  readonly run_id: string;
  readonly trial_number: number;
  readonly key: string;
  readonly account_id: string;
  readonly email: string;
  readonly expectation: string | null;
  readonly verdict: Review['verdict'];
  readonly note: string | null;
  readonly seen_judge: boolean;
  readonly at: string;
  readonly holds: boolean;
}

const HOLDS = `not exists (select from review as later
  where later.run_id = review.run_id and later.trial_number = review.trial_number
    and later.account_id = review.account_id and later.expectation is not distinct from review.expectation
    and later.at > review.at)`;

const SELECT = `
  select review.id, review.run_id, trial_number, trial.key, account_id, email, expectation, review.verdict, note,
    seen_judge, at, ${HOLDS} as holds
  from review join account on account.id = account_id
    join trial on trial.run_id = review.run_id and trial.number = trial_number`;

function reviewOf(kept: KeptReview): Review {
  return {
    id: kept.id,
    runId: kept.run_id,
    trialNumber: kept.trial_number,
    trial: kept.key,
    accountId: kept.account_id,
    by: kept.email,
    expectation: kept.expectation,
    verdict: kept.verdict,
    note: kept.note,
    seenJudge: kept.seen_judge,
    at: kept.at,
    holds: kept.holds,
  };
}
