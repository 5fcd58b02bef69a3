import type { CountedFor } from '../../../core/run-listings.ts';
import type { JsonValue } from '../../../lib/json.ts';
import { type Queries, sqlState } from '../database.ts';

/** What was counted for runs, by id. */
export async function countedFor(
  { query }: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CountedFor>> {
  if (ids.length === 0) return new Map();
  const rows = await query<{ run_id: string; version: string; body: string }>(
    'select run_id, version, body from run_counted where run_id = any($1::text[])',
    [ids],
  );
  return new Map(
    rows.map(({ run_id: id, version, body }) => [id, { version, body: JSON.parse(body) as JsonValue }]),
  );
}

/** Stores it for the next process, unless the run was removed. */
export async function keepCounted(
  { query }: Queries,
  id: string,
  { version, body }: CountedFor,
): Promise<void> {
  try {
    await query(
      `insert into run_counted (run_id, version, body) values ($1, $2, $3::text::json)
       on conflict (run_id) do update set version = excluded.version, body = excluded.body`,
      [id, version, JSON.stringify(body)],
    );
  } catch (error) {
    if (sqlState(error) !== '23503') throw error;
  }
}
