import type { ListingChange, RunListing, RunListings } from '../../../core/run-listings.ts';
import type { Database, Queries } from '../database.ts';
import { plainText } from '../plain-text.ts';
import { databaseSets } from '../sets/store.ts';
import { openAttachment } from './attachments.ts';
import { countedFor, keepCounted } from './counted.ts';
import { LISTING_COLUMNS, listedRuns, namedRuns, runVersions } from './listed-runs.ts';

/** What people have written about the runs of a database. */
export function databaseListings(database: Database): RunListings {
  return {
    hasSet: async (idOrName) => (await databaseSets(database).called(idOrName)) !== undefined,
    of: (id) => listingOf(database, id),
    page: (filter, range) => listedRuns(database, filter, range),
    named: (ids) => namedRuns(database, ids),
    versions: (newest, named) => runVersions(database, newest, named),
    async unfinished() {
      const rows = await database.query<{ id: string }>(UNFINISHED);
      return rows.map(({ id }) => id);
    },
    attachment: (sha256) => openAttachment(database, { sha256 }),
    counted: (ids) => countedFor(database, ids),
    keepCounted: (id, counted) => keepCounted(database, id, counted),
    change: (id, change, isExpected = () => true) =>
      database.transaction(async (queries) => {
        await queries.query('select 1 from run where id = $1 for no key update', [plainText(id)]);
        const before = await listingOf(queries, id);
        if (before === undefined) return { outcome: 'unknown' };
        if (!isExpected(before)) return { outcome: 'stale', listing: before };
        await write(queries, before, change);
        return { outcome: 'written', listing: (await listingOf(queries, id)) ?? before };
      }),
  };
}

const UNFINISHED = `select id from run where state in ('queued', 'running', 'stopping', 'interrupted')
  and archived_at is null order by id`;

async function listingOf({ query }: Queries, id: string): Promise<RunListing | undefined> {
  const [row] = await query<RunListing>(`select ${LISTING_COLUMNS} from run where id = $1`, [plainText(id)]);
  return row;
}

/** A run that is archived already keeps the time. */
async function write({ query }: Queries, before: RunListing, change: ListingChange): Promise<void> {
  const { name, note, line, tags, isArchived } = { ...before, ...change };
  const archived = isArchived ?? before.archivedAt !== null;
  await query(
    `update run set name = $2, note = $3, line = $4, tags = $5::text[],
       archived_at = case when $6 then coalesce(archived_at, clock_timestamp()) end
     where id = $1`,
    [before.id, textOf(name), textOf(note), textOf(line), tags.map(plainText), archived],
  );
}

function textOf(text: string | null): string | null {
  return text === null ? null : plainText(text);
}
