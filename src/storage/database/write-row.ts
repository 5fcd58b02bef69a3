import type { KeptAgent } from '../../core/agent-store.ts';
import type { KeptCaseSet } from '../../core/case-set-store.ts';
import type { SortedPage } from '../../core/list-sort.ts';
import { isUuid } from '../../lib/uuid.ts';
import type { Database, Parameter, Queries } from './database.ts';
import { plainText } from './plain-text.ts';
import { behindSql, sortSql } from './sort-sql.ts';

/** Tables of rows that have a name and a version, and can be archived. */
type NamedTable = 'agent' | 'case_set';

/** A row of them, with a time that grows with every write. */
export type NamedRow = KeptAgent & KeptCaseSet;

/** Its columns. */
export const NAMED_COLUMNS = `id, name, description, version, archived_at as "archivedAt", created_at as "createdAt",
  updated_at as "updatedAt"`;

export interface RowToWrite {
  readonly table: NamedTable;
  readonly id: string;
  /** Its `updatedAt`, else it is stale; undefined: any version. */
  readonly expected?: string | undefined;
}

/** What became of a write: the row as it is now, also where it is stale. */
export type RowWrite =
  | { readonly outcome: 'written' | 'stale'; readonly row: NamedRow }
  | { readonly outcome: 'unknown' };

/** The outcome of a change that changes nothing: the row keeps its version. */
export function unchangedRow(row: NamedRow): RowWrite {
  return { outcome: 'written', row };
}

/** Writes a row and what it owns. Others who write it wait, and find it stale. `write` gives why it wrote nothing. */
export async function writeRow<Refused>(
  database: Database,
  { table, id, expected }: RowToWrite,
  write: (queries: Queries, before: NamedRow) => Promise<Refused | undefined>,
): Promise<RowWrite | Refused> {
  if (!isUuid(id)) return { outcome: 'unknown' };
  return await database.transaction(async (queries) => {
    await queries.query(`select 1 from ${table} where id = $1::uuid for update`, [id]);
    const before = await rowOf(queries, table, id);
    if (before === undefined) return { outcome: 'unknown' };
    if (expected !== undefined && before.updatedAt !== expected) return { outcome: 'stale', row: before };
    const refused = await write(queries, before);
    if (refused !== undefined) return refused;
    // A write to what it owns counts as well.
    await queries.query(`update ${table} set updated_at = updated_at where id = $1::uuid`, [id]);
    return { outcome: 'written', row: (await rowOf(queries, table, id)) ?? before };
  });
}

/** The row with an id, which must be a UUID. */
export async function rowOf(
  { query }: Queries,
  table: NamedTable,
  id: string,
): Promise<NamedRow | undefined> {
  const [row] = await query<NamedRow>(`select ${NAMED_COLUMNS} from ${table} where id = $1::uuid`, [id]);
  return row;
}

/** The rows of a page. */
export async function rowsOfPage(
  { query }: Queries,
  table: NamedTable,
  { limit, after, isArchived, sort = { by: 'created_at', direction: 'up' } }: SortedPage,
): Promise<readonly NamedRow[]> {
  const parameters: Parameter[] = [limit];
  const value = (parameter: Parameter): string => `$${parameters.push(parameter)}`;
  const conditions = [
    ...(isArchived === undefined ? [] : [`archived_at is ${isArchived ? 'not null' : 'null'}`]),
    ...(after === undefined ? [] : [behindSql(sort, after, value)]),
  ];
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  return await query<NamedRow>(
    `select ${NAMED_COLUMNS} from ${table}${where} order by ${sortSql(sort)} limit $1::int`,
    parameters,
  );
}

/** The row with this id, else with this exact name. */
export async function rowCalled(
  { query }: Queries,
  table: NamedTable,
  idOrName: string,
): Promise<NamedRow | undefined> {
  const text = plainText(idOrName);
  const id = text.toLowerCase();
  const [row] = await query<NamedRow>(
    `select ${NAMED_COLUMNS} from ${table} where id = $1::text::uuid or name = $2::text
     order by (id = $1::text::uuid) desc nulls last limit 1`,
    [isUuid(id) ? id : null, text],
  );
  return row;
}

/** Whether a row is already what a change would make of it. `isArchived`: undefined to leave that. */
export function isAlready(
  before: NamedRow,
  {
    isArchived,
    ...fields
  }: { readonly isArchived?: boolean | undefined } & Partial<Pick<NamedRow, 'name' | 'description'>>,
): boolean {
  return (
    (isArchived === undefined || isArchived === (before.archivedAt !== null)) &&
    Object.entries(fields).every(([key, value]) => before[key as keyof typeof fields] === value)
  );
}

/** The value of `archived_at`; an archived row keeps its time. */
export function newArchivedAt(isArchived: boolean | undefined): string {
  if (isArchived === undefined) return 'archived_at';
  return isArchived ? 'coalesce(archived_at, clock_timestamp())' : 'null';
}

/** The time of a new row: later than all others, since the clock of the embedded database has only milliseconds. */
export function nextTime(table: NamedTable): string {
  const latest = `select max(created_at) from ${table}`;
  return `(select greatest(clock_timestamp(), (${latest}) + interval '1 microsecond') as at) as time`;
}
