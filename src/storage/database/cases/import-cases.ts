import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import type {
  CaseFields,
  ImportChoice,
  ImportedCase,
  ImportOutcome,
  ImportResult,
  KeptCase,
} from '../../../core/case-store.ts';
import type { ToolMock } from '../../../core/test-case.ts';
import type { Database, Queries } from '../database.ts';
import {
  CASE_COLUMNS,
  FIELD_NAMES,
  FIELD_RECORD,
  FIELD_VALUES,
  keptCase,
  recordOf,
  type CaseRow,
} from './case-columns.ts';
import { mocksOf, writeMocks } from './mocks.ts';

/** Imports all of the cases or none, in one transaction; imports wait for each other. */
export async function importCases(
  database: Database,
  cases: readonly ImportedCase[],
  how: ImportChoice,
): Promise<ImportOutcome> {
  return await database.transaction(async (queries) => {
    await queries.query(`select pg_advisory_xact_lock(hashtext('assay import of cases'))`);
    const there = await casesThere(queries, cases, how);
    const problems = await problemsOf(queries, { cases, there }, how);
    if (problems.length > 0) return { problems };
    const planned = await plannedWrites(queries, { cases, there }, how);
    if (how.isDryRun !== true) await write(queries, planned);
    return {
      items: planned.map(({ id, result }, index) =>
        // The id of a case that only the import makes is not known before.
        how.isDryRun === true && result === 'created' && cases[index]?.id === undefined
          ? { result }
          : { id, result },
      ),
    };
  });
}

/** The cases of the store that each imported one means. */
type There = readonly (readonly KeptCase[])[];

async function casesThere(
  { query }: Queries,
  cases: readonly ImportedCase[],
  { match }: ImportChoice,
): Promise<There> {
  const keys = cases.map((each) => (match === 'id' ? each.id : each.fields.name));
  const known = keys.filter((key) => key !== undefined);
  const rows = await query<CaseRow>(
    `select ${CASE_COLUMNS} from test_case
     where ${match === 'id' ? 'id = any($1::text[]::uuid[])' : 'name collate "C" = any($1::text[])'} for update`,
    [known],
  );
  const found = new Map<string, KeptCase[]>();
  for (const row of rows) {
    const kept = keptCase(row);
    const key = match === 'id' ? kept.id : kept.fields.name;
    found.set(key, [...(found.get(key) ?? []), kept]);
  }
  return keys.map((key) => (key === undefined ? [] : (found.get(key) ?? [])));
}

type Problem = Extract<ImportOutcome, { problems: unknown }>['problems'][number];

async function problemsOf(
  { query }: Queries,
  { cases, there }: { readonly cases: readonly ImportedCase[]; readonly there: There },
  { onConflict, match }: ImportChoice,
): Promise<readonly Problem[]> {
  const ids = cases.flatMap(({ id }) => id ?? []);
  const rows = await query<{ id: string }>('select id from test_case where id = any($1::text[]::uuid[])', [
    ids,
  ]);
  const taken = new Set(rows.map(({ id }) => id));
  const first = new Map<string, number>();
  const firstOfName = new Map<string, number>();
  return cases.flatMap(({ id, fields: { name } }, index): readonly Problem[] => {
    const [one, ...others] = there[index] ?? [];
    const called = JSON.stringify(name);
    if (others.length > 0)
      return [
        { index, code: 'ambiguous-name', message: `${others.length + 1} stored cases are called ${called}` },
      ];
    if (match === 'name' && one === undefined) {
      const same = firstOfName.get(name);
      if (same !== undefined)
        return [{ index, code: 'case-exists', message: `${called} and case ${same + 1} have the same name` }];
      firstOfName.set(name, index);
    }
    const meant = one?.id ?? id;
    if (meant === undefined) return [];
    const before = first.get(meant);
    first.set(meant, before ?? index);
    if (before !== undefined)
      return [
        {
          index,
          code: 'case-exists',
          message: `${called} and case ${before + 1} refer to the same stored case`,
        },
      ];
    const isConflict = one === undefined ? taken.has(meant) : onConflict === 'error';
    return isConflict ? [{ index, code: 'case-exists', message: `a stored case has the id ${meant}` }] : [];
  });
}

/** What becomes of an imported case. */
interface PlannedWrite {
  readonly id: string;
  readonly result: ImportResult;
  /** Absent: they stay. */
  readonly fields?: CaseFields;
  readonly mocks?: readonly ToolMock[];
}

async function plannedWrites(
  queries: Queries,
  { cases, there }: { readonly cases: readonly ImportedCase[]; readonly there: There },
  { onConflict }: ImportChoice,
): Promise<readonly PlannedWrite[]> {
  const before = await mocksOf(
    queries,
    there.flatMap((found) => found.map(({ id }) => id)),
  );
  return cases.map(({ id, fields, written, mocks }, index) => {
    const [one] = there[index] ?? [];
    if (one === undefined)
      return { id: id ?? randomUUID(), result: 'created', fields, ...(mocks === undefined ? {} : { mocks }) };
    if (onConflict === 'skip') return { id: one.id, result: 'skipped' };
    const after = onConflict === 'merge' ? merged(one.fields, fields, written) : fields;
    const changes = {
      ...(isDeepStrictEqual(after, one.fields) ? {} : { fields: after }),
      ...(mocks === undefined || isDeepStrictEqual(mocks, before.get(one.id)) ? {} : { mocks }),
    };
    const result =
      Object.keys(changes).length === 0 ? 'unchanged' : onConflict === 'merge' ? 'merged' : 'replaced';
    return { id: one.id, result, ...changes };
  });
}

function merged(before: CaseFields, after: CaseFields, written: ReadonlySet<string>): CaseFields {
  const own = Object.entries(after).filter(([key]) => written.has(key));
  return { ...before, ...Object.fromEntries(own) };
}

/** Records of one statement. */
const MOST = 1000;

async function write({ query, ...queries }: Queries, planned: readonly PlannedWrite[]): Promise<void> {
  const records = planned.flatMap(({ id, result, fields }, index) =>
    fields === undefined ? [] : [{ isNew: result === 'created', record: { id, index, ...recordOf(fields) } }],
  );
  for (const [isNew, sql] of [
    [true, INSERT],
    [false, UPDATE],
  ] as const) {
    const some = records.filter((each) => each.isNew === isNew).map(({ record }) => record);
    for (let at = 0; at < some.length; at += MOST)
      await query(sql, [JSON.stringify(some.slice(at, at + MOST))]);
  }
  const mocks = planned.flatMap(({ id, mocks: own }) => (own === undefined ? [] : [[id, own] as const]));
  for (let at = 0; at < mocks.length; at += MOST)
    await writeMocks({ query, ...queries }, new Map(mocks.slice(at, at + MOST)));
}

const RECORDS = `json_to_recordset($1::text::json) as record (id uuid, index int, ${FIELD_RECORD})`;

/** Times keep the order of the file, also where the clock stands still. */
const INSERT = `
  insert into test_case (id, ${FIELD_NAMES}, created_at, updated_at)
  select id, ${FIELD_VALUES}, at, at
  from ${RECORDS}, lateral (select transaction_timestamp() + make_interval(secs => index / 1e6) as at) as time
  order by index`;

const UPDATE = `
  update test_case set ${FIELD_VALUES.split(/,\s+/)
    .map((value) => `${value.replace('::jsonb', '')} = record.${value}`)
    .join(', ')}
  from ${RECORDS} where record.id = test_case.id`;
