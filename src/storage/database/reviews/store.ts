import type {
  AddedReview,
  NewReview,
  Review,
  ReviewFilter,
  ReviewStore,
} from '../../../core/review-store.ts';
import type { Database, Queries } from '../database.ts';
import { plainTextOf } from '../plain-text.ts';

/** The reviews in a database that has its schema. */
export function databaseReviews(database: Database): ReviewStore {
  return {
    add: (review) => database.transaction((queries) => addReview(queries, review)),
    async ofTrial(runId, trialNumber) {
      const ofTrial = `${SELECT} where review.run_id = $1 and trial_number = $2 order by at`;
      return await database.query<Review>(ofTrial, [runId, trialNumber]);
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
  const expectation = plainTextOf(review.expectation);
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
    [...trial, accountId, expectation, verdict, plainTextOf(review.note), seenJudge],
  );
  const [kept] = await query<Review>(`${SELECT} where review.id = $1`, [added?.id ?? null]);
  if (kept === undefined) throw new Error('the review was not added');
  return { outcome: 'added', review: kept };
}

async function* holdingReviews(
  database: Database,
  { runId, seenJudge }: ReviewFilter,
): AsyncGenerator<Review> {
  let last: readonly [string, number, string, string] = ['', 0, '-infinity', NIL];
  for (let isMore = true; isMore;) {
    const page: readonly Review[] = await database.query<Review>(
      `${SELECT} where (review.run_id, trial_number, at, review.id) > ($1, $2, $3::text::timestamptz, $4::uuid) and ${HOLDS}
         and ($5::text is null or review.run_id = $5) and ($6::boolean is null or seen_judge = $6)
       order by review.run_id, trial_number, at, review.id limit ${PAGE}`,
      [...last, runId ?? null, seenJudge ?? null],
    );
    yield* page;
    const end = page.at(-1);
    isMore = page.length === PAGE;
    if (end !== undefined) last = [end.runId, end.trialNumber, end.at, end.id];
  }
}

/** Reviews of one query. */
const PAGE = 500;

const NIL = '00000000-0000-0000-0000-000000000000';

const HOLDS = `not exists (select from review as later
  where later.run_id = review.run_id and later.trial_number = review.trial_number
    and later.account_id = review.account_id and later.expectation is not distinct from review.expectation
    and later.at > review.at)`;

const SELECT = `
  select review.id, review.run_id as "runId", trial_number as "trialNumber", trial.key as trial,
    account_id as "accountId", email as by, expectation, review.verdict, note, seen_judge as "seenJudge", at,
    ${HOLDS} as holds
  from review join account on account.id = account_id
    join trial on trial.run_id = review.run_id and trial.number = trial_number`;
