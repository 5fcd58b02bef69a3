import type { RunEvent } from '../../../core/run.ts';
import type { UploadedArtifact } from '../../../core/run-upload.ts';
import type { Database, Queries } from '../database.ts';
import { plainText } from '../plain-text.ts';

/** The texts that an event names by their sha-256. */
export function textsNamedIn({ fact }: RunEvent): readonly string[] {
  if (fact.type === 'transcript-entry') return 'attachment' in fact.entry ? [fact.entry.attachment] : [];
  if (fact.type !== 'trial-end') return [];
  const { output } = fact.row;
  return output === null || typeof output === 'string' ? [] : [output.attachment];
}

/** Gives texts to a run where the store has them, else waits for their bytes. */
export async function awaitTexts(database: Database, run: string, texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return;
  await database.transaction(async (queries) => {
    await lockBytes(queries);
    await queries.query(
      `insert into run_attachment (run_id, sha256) select $1::text, sha256 from attachment where sha256 = any($2::text[])
       on conflict do nothing`,
      [run, texts],
    );
    await queries.query(
      `insert into awaited_bytes (run_id, sha256)
       select distinct $1::text, named.sha256 from unnest($2::text[]) as named (sha256)
       where not exists (select from attachment where attachment.sha256 = named.sha256) on conflict do nothing`,
      [run, texts],
    );
  });
}

/** The same of the files of attempts; those of a trial that the log does not tell of are left out. */
export async function awaitArtifacts(
  database: Database,
  run: string,
  artifacts: readonly UploadedArtifact[],
): Promise<void> {
  const columns = [
    run,
    artifacts.map(({ trial }) => plainText(trial)),
    artifacts.map(({ attempt }) => attempt),
    artifacts.map(({ name }) => plainText(name)),
    artifacts.map(({ sha256 }) => sha256),
  ];
  const named = `(select number, attempt, name, sha256
    from unnest($2::text[], $3::int[], $4::text[], $5::text[]) as told (key, attempt, name, sha256)
    join trial using (key) where run_id = $1) as named`;
  const isThere = 'exists (select from attachment where attachment.sha256 = named.sha256)';
  await database.transaction(async (queries) => {
    await lockBytes(queries);
    // A file that has changed since it was named is not awaited as it was.
    await queries.query(
      `delete from awaited_bytes using ${named}
       where run_id = $1 and trial_number = named.number and awaited_bytes.attempt = named.attempt
         and awaited_bytes.name = named.name`,
      columns,
    );
    await queries.query(
      `insert into artifact (run_id, trial_number, attempt, name, sha256)
       select distinct on (number, named.attempt, named.name) $1::text, number, named.attempt, named.name, named.sha256
       from ${named} where ${isThere} order by number, named.attempt, named.name
       on conflict (run_id, trial_number, attempt, name) do update set sha256 = excluded.sha256`,
      columns,
    );
    await queries.query(
      `insert into awaited_bytes (run_id, trial_number, attempt, name, sha256)
       select $1::text, number, named.attempt, named.name, named.sha256 from ${named} where not ${isThere}
       on conflict do nothing`,
      columns,
    );
  });
}

/** Those that an uploaded run still lacks. */
export async function missingBytes({ query }: Queries, run: string): Promise<readonly string[]> {
  const rows = await query<{ sha256: string }>(
    'select distinct sha256 from awaited_bytes where run_id = $1 order by sha256',
    [run],
  );
  return rows.map(({ sha256 }) => sha256);
}

/** Pruning must not remove bytes that this transaction found. */
export async function lockBytes({ query }: Queries): Promise<void> {
  await query('lock table attachment in row exclusive mode');
}
