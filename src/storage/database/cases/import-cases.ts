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
import { mocksOf, writeMocks } from '../mocks.ts';
import { noteDone } from '../people/idempotency-keys.ts';
import { tidyAfter } from '../tidy.ts';

/** Imports all cases or none, in one transaction. Concurrent imports wait for each other. */
export async function importCases(
  database: Database,
  cases: readonly ImportedCase[],
  how: ImportChoice,
): Promise<ImportOutcome> {
  const outcome = await database.transaction(async (queries): Promise<ImportOutcome> => {
    await queries.query('set local lock_timeout to 0');
    await queries.query(`select pg_advisory_xact_lock(hashtext('assay import of cases'))`);
    const there = await casesThere(queries, cases, how);
    const problems = await problemsOf(queries, { cases, there }, how);
    if (problems.length > 0) return { problems };
    const planned = await plannedWrites(queries, { cases, there }, how);
    if (how.isDryRun !== true) await write(queries, planned);
    const items = planned.map(({ id, result }, index) =>
      // A case without an id gets one when it is written.
      how.isDryRun === true && result === 'created' && cases[index]?.id === undefined
        ? { result }
        : { id, result },
    );
    if (how.once !== undefined) await noteDone(queries, how.once.entry, how.once.answerOf(items));
    return { items };
  });
  if (!('problems' in outcome) && how.isDryRun !== true)
    tidyAfter(database, outcome.items.length, 'vacuum (analyze) test_case, tool_mock');
  return outcome;
}

/** The stored cases that each imported case refers to. */
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
        { index, code: 'ambiguous-name', message: `${others.length + 1} stored cases are named ${called}` },
      ];
    if (match === 'name' && one === undefined) {
      const same = firstOfName.get(name);
      if (same !== undefined)
        return [
          { index, code: 'case-exists', message: `case ${same + 1} of the import is also named ${called}` },
        ];
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
          message: `${called} and case ${before + 1} of the import would both update the same case of the store`,
        },
      ];
    const isConflict = one === undefined ? taken.has(meant) : onConflict === 'error';
    if (!isConflict) return [];
    const message =
      one === undefined
        ? `another stored case has the id ${meant}`
        : `${called} is already in the store, with the id ${meant}`;
    return [{ index, code: 'case-exists', message }];
  });
}

/** What the import does with a case. */
interface PlannedWrite {
  readonly id: string;
  readonly result: ImportResult;
  /** Absent: the stored fields are kept. */
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
    'test_case',
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

/** Largest number of records in one statement. */
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
    await writeMocks({ query, ...queries }, new Map(mocks.slice(at, at + MOST)), 'test_case');
}

const RECORDS = `json_to_recordset($1::text::json) as record (id uuid, index int, ${FIELD_RECORD})`;

/** The times keep the order of the file, even if the clock does not advance. */
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
