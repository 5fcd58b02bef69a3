import { isUuid } from '../../lib/uuid.ts';
import type { SortedPage } from '../../core/list-sort.ts';
import type { Database, Parameter, Queries } from './database.ts';
import { behindSql, sortSql } from './sort-sql.ts';

/** A row with a time that grows with every write. */
export interface RowToWrite<Kept> {
  readonly table: 'agent' | 'case_set';
  readonly id: string;
  /** Its `updatedAt`, else it is stale; undefined: any version. */
  readonly expected?: string | undefined;
  /** The row as it is now. */
  read(queries: Queries): Promise<Kept | undefined>;
}

/** What became of a write: the row as it is now, also where it is stale. */
export type RowWrite<Kept> =
  | { readonly outcome: 'written' | 'stale'; readonly row: Kept }
  | { readonly outcome: 'unknown' };

/** Writes a row and what it owns. Others who write it wait, and find it stale. `write` gives why it wrote nothing. */
export async function writeRow<Kept extends { readonly updatedAt: string }, Refused = never>(
  database: Database,
  { table, id, expected, read }: RowToWrite<Kept>,
  write: (queries: Queries, before: Kept) => Promise<Refused | undefined>,
): Promise<RowWrite<Kept> | Refused> {
  if (!isUuid(id)) return { outcome: 'unknown' };
  return await database.transaction(async (queries) => {
    await queries.query(`select 1 from ${table} where id = $1::uuid for update`, [id]);
    const before = await read(queries);
    if (before === undefined) return { outcome: 'unknown' };
    if (expected !== undefined && before.updatedAt !== expected) return { outcome: 'stale', row: before };
    const refused = await write(queries, before);
    if (refused !== undefined) return refused;
    // A write that changes nothing counts as well.
    await queries.query(`update ${table} set updated_at = updated_at where id = $1::uuid`, [id]);
    return { outcome: 'written', row: (await read(queries)) ?? before };
  });
}

/** The rows of a page. */
export async function rowsOfPage<Row extends Readonly<Record<string, unknown>>>(
  { query }: Queries,
  { table, columns }: { readonly table: RowToWrite<unknown>['table']; readonly columns: string },
  { limit, after, isArchived, sort = { by: 'created_at', direction: 'up' } }: SortedPage,
): Promise<readonly Row[]> {
  const parameters: Parameter[] = [limit];
  const value = (parameter: Parameter): string => `$${parameters.push(parameter)}`;
  const conditions = [
    ...(isArchived === undefined ? [] : [`archived_at is ${isArchived ? 'not null' : 'null'}`]),
    ...(after === undefined ? [] : [behindSql(sort, after, value)]),
  ];
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  return await query<Row>(
    `select ${columns} from ${table}${where} order by ${sortSql(sort)} limit $1::int`,
    parameters,
  );
}

/** The condition and parameters that find a row by its id, else by its exact name. */
export function calledBy(idOrName: string): {
  readonly where: string;
  readonly parameters: [string | null, string];
} {
  const id = idOrName.toLowerCase();
  return {
    where: `id = $1::text::uuid or name = $2::text order by (id = $1::text::uuid) desc nulls last limit 1`,
    parameters: [isUuid(id) ? id : null, idOrName],
  };
}

/** The value of `archived_at`; an archived row keeps its time. */
export function newArchivedAt(isArchived: boolean | undefined): string {
  if (isArchived === undefined) return 'archived_at';
  return isArchived ? 'coalesce(archived_at, clock_timestamp())' : 'null';
}

/** The time of a new row: later than all others, since the clock of the embedded database has only milliseconds. */
export function nextTime(table: RowToWrite<unknown>['table']): string {
  const latest = `select max(created_at) from ${table}`;
  return `(select greatest(clock_timestamp(), (${latest}) + interval '1 microsecond') as at) as time`;
}
