import type { KeptArchived, PruneChoice, Pruned } from '../../../core/pruning.ts';
import { arrayText } from '../array-text.ts';
import type { Database, Queries } from '../database.ts';
import { againAfterConflict } from '../written.ts';
import { removeSetAside, restoreKept, setAside } from './pruned-folders.ts';
import type { RunRoom } from './run-room.ts';
import { stillNamed } from './still-named.ts';

/**
 * Removes archived runs whole, then the texts and copies that no run names any more, and the folders of these runs. A
 * run that a process writes stays, and one that another run needs.
 */
export async function pruneRuns(
  { database, folder }: Pick<RunRoom, 'database' | 'folder'>,
  { archivedBefore, isDryRun = false }: PruneChoice,
): Promise<Pruned> {
  const restore = () => restoreKept(folder, keptOf(database));
  const pruned = await againAfterConflict(() =>
    database.transaction(async (queries) => {
      const found = await archivedRuns(queries, archivedBefore);
      const named = await stillNamed(
        queries,
        found.flatMap(({ id, because }) => (because === null ? [id] : [])),
      );
      const settled = found.map(({ id, because }) => ({ id, because: because ?? named.get(id) ?? null }));
      const kept = settled.flatMap(({ id, because }) => (because === null ? [] : [{ id, because }]));
      const runs = settled.flatMap(({ id, because }) => (because === null ? [id] : []));
      const bytes = await bytesOnlyOf(queries, runs);
      if (isDryRun) return { runs, kept, bytes, leftFolders: [] };
      const leftFolders = await setAside(folder, runs);
      await queries.query('delete from run where id = any($1::text[])', [runs]);
      return { runs, kept, bytes, leftFolders };
    }),
  ).catch(async (error: unknown) => {
    // Without the database, the next prune does it.
    await restore().catch(() => undefined);
    throw error;
  });
  const { leftFolders, ...told } = pruned;
  if (isDryRun) return told;
  await restore();
  const left = [...leftFolders, ...(await removeSetAside(folder))];
  await removeUnnamed(database);
  return left.length === 0 ? told : { ...told, leftFolders: left };
}

/** Which of these runs exist. Waits for another prune that is removing one. */
function keptOf(database: Database): (runs: readonly string[]) => Promise<ReadonlySet<string>> {
  return async (runs) => {
    const kept = await database.query<{ id: string }>(
      'select id from run where id = any($1::text[]) for key share',
      [runs],
    );
    return new Set(kept.map(({ id }) => id));
  };
}

interface ArchivedRun extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly because: KeptArchived['because'] | null;
}

/** Locked first: what is read after that sees every baseline and review. */
async function archivedRuns({ query }: Queries, before: string): Promise<readonly ArchivedRun[]> {
  const locked = await query<{ id: string }>(
    `select id from run where archived_at < $1::text::timestamptz
       and (lease_until is null or lease_until < clock_timestamp()) order by id for update`,
    [before],
  );
  return await query<ArchivedRun>(
    `select id, case when exists (select from baseline where run_id = run.id) then 'baseline'
       when exists (select from review where run_id = run.id) then 'reviewed' end as because
     from run where id = any($1::text[]) order by id`,
    [locked.map(({ id }) => id)],
  );
}

async function bytesOnlyOf({ query }: Queries, runs: readonly string[]): Promise<number> {
  const [sum] = await query<{ bytes: number }>(
    `select coalesce(sum(size), 0)::double precision as bytes from attachment
     where sha256 in (select sha256 from run_attachment where run_id = any($1::text[])
         union select sha256 from artifact where run_id = any($1::text[]))
       and not exists (select from run_attachment as other
         where other.sha256 = attachment.sha256 and other.run_id <> all($1::text[]))
       and not exists (select from artifact as other
         where other.sha256 = attachment.sha256 and other.run_id <> all($1::text[]))`,
    [runs],
  );
  return sum?.bytes ?? 0;
}

/** Looks for candidates before it locks: what is found is looked at again under the lock, which takes no long. */
async function removeUnnamed(database: Database): Promise<void> {
  for (const { table, key, isUnnamed } of UNNAMED) {
    const columns = key.join(', ');
    const found = await database.query<Readonly<Record<string, string>>>(
      `select ${columns} from ${table} where ${isUnnamed}`,
    );
    for (let at = 0; at < found.length; at += MOST_REMOVED) {
      const some = found.slice(at, at + MOST_REMOVED);
      const lists = key.map((column) => arrayText(some.map((row) => row[column] ?? '')));
      const texts = key.map((_, index) => `$${index + 1}::text::text[]`).join(', ');
      await againAfterConflict(() =>
        database.transaction(async ({ query }) => {
          // Runs that are written now wait, and then find what is left.
          await query('lock table attachment, frozen_part, frozen in share row exclusive mode');
          await query(
            `delete from ${table} where (${columns}) in (select * from unnest(${texts})) and ${isUnnamed}`,
            lists,
          );
        }),
      );
    }
  }
}

/** Rows of one transaction. */
const MOST_REMOVED = 5000;

/** Parts last: what names them goes before. */
const UNNAMED = [
  {
    table: 'attachment',
    key: ['sha256'],
    isUnnamed: `not exists (select from run_attachment where run_attachment.sha256 = attachment.sha256)
      and not exists (select from artifact where artifact.sha256 = attachment.sha256)`,
  },
  {
    table: 'frozen',
    key: ['digest', 'content'],
    isUnnamed: `not exists (select from run_frozen
      where run_frozen.digest = frozen.digest and run_frozen.content = frozen.content)`,
  },
  {
    table: 'frozen_part',
    key: ['content'],
    isUnnamed: `not exists (select from frozen where frozen.part = frozen_part.content)`,
  },
] as const;
