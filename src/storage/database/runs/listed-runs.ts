import type { KeptListing, RunFilter, RunListing, RunRange, RunVersion } from '../../../core/run-listings.ts';
import type { RunState } from '../../../core/run.ts';
import { isUuid } from '../../../lib/uuid.ts';
import type { Parameter, Queries } from '../database.ts';
import { plainText } from '../plain-text.ts';
import { headIn, STATE_NOW } from './kept-run.ts';

/** The columns of a `RunListing`. */
export const LISTING_COLUMNS =
  'id, origin, name, note, line, tags, archived_at as "archivedAt", created_by as "createdBy"';

/** A page of runs. Ids sort by time. */
export async function listedRuns(
  { query }: Queries,
  filter: RunFilter,
  { limit, after, order }: RunRange,
): Promise<readonly KeptListing[]> {
  const parameters: Parameter[] = [];
  const value = (parameter: Parameter): string => `$${parameters.push(parameter)}`;
  const conditions = conditionsOf(filter, value);
  const isNewestFirst = order === 'newest-first';
  if (after !== undefined) conditions.push(`id ${isNewestFirst ? '<' : '>'} ${value(plainText(after))}`);
  const rows = await query<KeptRow>(
    `select ${COLUMNS} from run where ${['true', ...conditions].join(' and ')}
     order by id ${isNewestFirst ? 'desc' : 'asc'} limit ${limit}`,
    parameters,
  );
  return rows.map(keptListing);
}

export async function namedRuns({ query }: Queries, ids: readonly string[]): Promise<readonly KeptListing[]> {
  const rows = await query<KeptRow>(`select ${COLUMNS} from run where id = any($1::text[])`, [
    ids.map(plainText),
  ]);
  return rows.map(keptListing);
}

export async function runVersions(
  { query }: Queries,
  newest: number,
  named: readonly string[],
): Promise<readonly RunVersion[]> {
  const rows = await query<{ id: string; state: RunState; revision: number }>(
    `select id, ${STATE_NOW} as state, revision from run
     where id in (select id from run order by id desc limit $1) or id = any($2::text[]) order by id desc`,
    [newest, named.map(plainText)],
  );
  return rows.map(({ id, state, revision }) => ({ id, state, version: String(revision) }));
}

const COLUMNS = `${LISTING_COLUMNS}, ${STATE_NOW} as state_now, revision, case_digest as "caseDigest", manifest`;

interface KeptRow extends RunListing {
  readonly state_now: RunState;
  readonly revision: number;
  readonly caseDigest: string | null;
  readonly manifest: string;
}

function keptListing({ state_now: state, revision, caseDigest, manifest, ...listing }: KeptRow): KeptListing {
  const head = () => headIn(listing, manifest);
  return { listing, state, version: String(revision), caseDigest, head };
}

function conditionsOf(filter: RunFilter, value: (parameter: Parameter) => string): string[] {
  const { state, kind, sourceRunId, target, line, tag, set, since, until, search, isArchived } = filter;
  const texts = (list: readonly string[]) => `${value(list.map(plainText))}::text[]`;
  const conditions: string[] = [];
  if (state !== undefined) conditions.push(`${STATE_NOW} = any(${texts(state)})`);
  if (kind !== undefined) conditions.push(`kind = ${value(kind)}`);
  if (sourceRunId !== undefined) conditions.push(`source_run_id = ${value(plainText(sourceRunId))}`);
  if (target !== undefined) conditions.push(`targets && ${texts(target)}`);
  if (line !== undefined)
    conditions.push(`coalesce(line, array_to_string(suites, ', ')) = ${value(plainText(line))}`);
  if (tag !== undefined) conditions.push(`tags && ${texts(tag)}`);
  if (set !== undefined) conditions.push(`case_set_id = (${setCalled(set, value)})`);
  if (since !== undefined) conditions.push(`started_at >= ${value(since)}::text::timestamptz`);
  if (until !== undefined) conditions.push(`started_at < ${value(until)}::text::timestamptz`);
  if (search !== undefined) {
    const part = `lower(${value(plainText(search))}::text collate "C")`;
    conditions.push(`exists (select from unnest(array[id, name] || suites || targets) as word
      where strpos(lower(word collate "C"), ${part}) > 0)`);
  }
  if (isArchived !== undefined) conditions.push(`archived_at is ${isArchived ? 'not null' : 'null'}`);
  return conditions;
}

/** A set is found by its id first; another one may have that id as its name. */
function setCalled(set: string, value: (parameter: Parameter) => string): string {
  const id = set.toLowerCase();
  const uuid = `${value(isUuid(id) ? id : null)}::text::uuid`;
  return `select case_set.id from case_set where case_set.id = ${uuid} or case_set.name = ${value(plainText(set))}
    order by (case_set.id = ${uuid}) desc nulls last limit 1`;
}
