import { isDeepStrictEqual } from 'node:util';

import type { CaseFields, CaseStore, CaseWrite, KeptCase } from '../../../core/case-store.ts';
import { isUuid } from '../../../lib/uuid.ts';
import type { Database, Queries } from '../database.ts';
import {
  CASE_COLUMNS,
  FIELD_NAMES,
  FIELD_RECORD,
  FIELD_VALUES,
  keptCase,
  recordOf,
  selectCases,
  type CaseRow,
} from './case-columns.ts';
import { importCases } from './import-cases.ts';
import { mocksOf, writeMocks } from '../mocks.ts';
import { databaseSets } from '../sets/store.ts';
import { behind, selectionOf, type Selection } from './selection.ts';
import { takeWithMocks } from './with-mocks.ts';

/** The test cases of a database that has its schema. */
export function databaseCases(database: Database): CaseStore {
  return {
    list: (selector, { limit, after, sort }) =>
      casesIn(database, behind(after, { ...selectionOf(selector), sort }), limit),
    // A single statement reads a consistent state.
    selected: (selector) => casesIn(database, selectionOf(selector)),
    takeWithMocks: (selector, take) => takeWithMocks(database, selectionOf(selector), take),
    called: (idOrName) => casesIn(database, selectionOf({ ids: [idOrName] })),
    hasSet: async (idOrName) => (await databaseSets(database).called(idOrName)) !== undefined,
    tags: () =>
      database.query<{ tag: string; cases: number }>(
        `select tag, count(*) as cases from test_case, unnest(tags) as tag
         group by tag order by cases desc, tag collate "C"`,
      ),
    async create(fields) {
      const [row] = await database.query<CaseRow>(
        `insert into test_case (${FIELD_NAMES}) select ${FIELD_VALUES} from ${RECORD} returning ${CASE_COLUMNS}`,
        [JSON.stringify(recordOf(fields))],
      );
      return keptCase(row as CaseRow);
    },
    replace: (id, fields, expected) =>
      writeCase(database, { id, expected }, async (queries, before) => {
        if (isDeepStrictEqual(recordOf(fields), recordOf(before.fields))) return;
        await writeFields(queries, id, fields);
      }),
    mocksOf: (ids) => mocksOf(database, ids, 'test_case'),
    mocks: async (id) => (await mocksOf(database, [id], 'test_case')).get(id) ?? [],
    replaceMocks: (id, mocks, expected) =>
      writeCase(database, { id, expected }, async (queries) => {
        await writeMocks(queries, new Map([[id, mocks]]), 'test_case');
        // If there are no mocks before and after, only this update records the write.
        await queries.query('update test_case set updated_at = updated_at where id = $1::uuid', [id]);
      }),
    import: (cases, how) => importCases(database, cases, how),
  };
}

const RECORD = `json_to_record($1::text::json) as fields (${FIELD_RECORD})`;

async function casesIn(
  { query }: Queries,
  selection: Selection,
  limit?: number,
): Promise<readonly KeptCase[]> {
  const rows = await query<CaseRow>(selectCases(selection, limit), selection.parameters);
  return rows.map(keptCase);
}

/** Locks the case: a concurrent writer waits, and then finds its version stale. */
async function writeCase(
  database: Database,
  { id, expected }: { readonly id: string; readonly expected: string | undefined },
  write: (queries: Queries, before: KeptCase) => Promise<void>,
): Promise<CaseWrite> {
  if (!isUuid(id)) return { outcome: 'unknown' };
  return await database.transaction(async (queries) => {
    const found = {
      from: 'test_case',
      where: 'id = $1::uuid',
      parameters: [id],
      order: 'created_at, id',
    } as const;
    const now = async () => (await casesIn(queries, found))[0];
    await queries.query('select 1 from test_case where id = $1::uuid for update', [id]);
    const before = await now();
    if (before === undefined) return { outcome: 'unknown' };
    if (expected !== undefined && before.updatedAt !== expected) return { outcome: 'stale', case: before };
    await write(queries, before);
    return { outcome: 'written', case: (await now()) ?? before };
  });
}

async function writeFields({ query }: Queries, id: string, fields: CaseFields): Promise<void> {
  await query(
    `update test_case set (${FIELD_NAMES}) = (select ${FIELD_VALUES} from ${RECORD}) where id = $2::uuid`,
    [JSON.stringify(recordOf(fields)), id],
  );
}
