import { AssayError } from '../../../core/errors.ts';
import type { IdempotencyKeys, KeptAnswer, KeyedAnswer, KeyEntry } from '../../../core/idempotency-keys.ts';
import type { Database, Parameter, Queries, SqlRow } from '../database.ts';

/** The idempotency keys of a database that has its schema; `now`: milliseconds since 1970. */
export function databaseKeys({ query }: Pick<Database, 'query'>, now: () => number): IdempotencyKeys {
  return {
    async begin(entry) {
      await query(PURGE, [timeOf(now())]);
      for (;;) {
        const begun = await query(BEGIN, [...valuesOf(entry), timeOf(now())]);
        if (begun.length > 0) return undefined;
        const [kept] = await query<KeyRow>(KEPT, [entry.accountId, entry.key]);
        // Else the first request had no effect and its entry is gone: this one takes its place.
        if (kept !== undefined) return keptAnswer(kept);
      }
    },
    async finish(entry, answer) {
      await query(FINISH, [...valuesOf(entry), JSON.stringify(answer)]);
    },
    async drop({ accountId, key, expiresAt }) {
      await query(DROP, [accountId, key, timeOf(expiresAt)]);
    },
  };
}

/** Skips entries that another request is removing. */
const PURGE = `delete from idempotency_key where (account_id, key) in (
  select account_id, key from idempotency_key where expires_at <= $1::text::timestamptz
  limit 100 for update skip locked)`;

/** Of requests at the same time only one gets a row. */
const BEGIN = `insert into idempotency_key as kept (account_id, key, route, request_digest, expires_at)
  values ($1::uuid, $2, $3, $4, $5::text::timestamptz)
  on conflict (account_id, key) do update
    set route = excluded.route, request_digest = excluded.request_digest, answer = null,
        expires_at = excluded.expires_at
    where kept.expires_at <= $6::text::timestamptz
  returning key`;

const KEPT = `select route, request_digest, answer from idempotency_key where account_id = $1::uuid and key = $2`;

/** Not the entry of a later request that took the key over. */
const DROP = `delete from idempotency_key where account_id = $1::uuid and key = $2 and answer is null
  and expires_at = $3::text::timestamptz`;

const FINISH = `insert into idempotency_key (account_id, key, route, request_digest, expires_at, answer)
  values ($1::uuid, $2, $3, $4, $5::text::timestamptz, $6::text::json)
  on conflict (account_id, key) do update
    set route = excluded.route, request_digest = excluded.request_digest, answer = excluded.answer,
        expires_at = excluded.expires_at`;

function valuesOf({ accountId, key, route, requestDigest, expiresAt }: KeyEntry): readonly Parameter[] {
  return [accountId, key, route, requestDigest, timeOf(expiresAt)];
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

interface KeyRow extends SqlRow {
  readonly route: string;
  readonly request_digest: string;
  readonly answer: string | null;
}

function keptAnswer({ route, request_digest: requestDigest, answer }: KeyRow): KeptAnswer {
  const kept = { route, requestDigest };
  if (answer === null) return kept;
  const stored = JSON.parse(answer) as KeyedAnswer | { readonly run: string };
  return 'run' in stored ? { ...kept, run: stored.run } : { ...kept, answer: stored };
}

/**
 * Stores at its key what a request did, in the transaction that does it: its answer, or the run that it began, whose
 * answer follows. Throws `idempotency-running` if a later request took the key over.
 */
export async function noteDone(
  { query }: Queries,
  { accountId, key, expiresAt }: Pick<KeyEntry, 'accountId' | 'key' | 'expiresAt'>,
  done: KeyedAnswer | { readonly run: string },
): Promise<void> {
  const [noted] = await query(NOTE, [accountId, key, JSON.stringify(done), timeOf(expiresAt)]);
  if (noted !== undefined) return;
  throw new AssayError(
    'idempotency-running',
    'a newer request with the same Idempotency-Key has replaced this one',
    {
      stage: 'plan',
      hint: 'send the request again later with the same key, to get the answer to the newer request',
    },
  );
}

const NOTE = `update idempotency_key set answer = $3::text::json, expires_at = expires_at + interval '1 day'
  where account_id = $1::uuid and key = $2 and expires_at = $4::text::timestamptz and answer is null
  returning key`;

/** Forgets requests without an answer: of an embedded database that was just opened, no other process runs them. */
export async function forgetUnanswered({ query }: Queries): Promise<void> {
  await query('delete from idempotency_key where answer is null');
}
