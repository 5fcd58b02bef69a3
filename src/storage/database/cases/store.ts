import type { CaseFields, CaseStore, CaseWrite, KeptCase } from '../../../core/case-store.ts';
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
import { importCases } from './import-cases.ts';
import { mocksOf, writeMocks } from './mocks.ts';
import { isUuid, selectionOf, type Selection } from './selection.ts';

/** The test cases of a database that has its schema. */
export function databaseCases(database: Database): CaseStore {
  return {
    list: (selector, { limit, after }) => {
      const { from, where, parameters } = selectionOf(selector);
      const place = parameters.length;
      const behind =
        after === undefined
          ? ''
          : ` and (created_at, id) > ($${place + 1}::text::timestamptz, $${place + 2}::uuid)`;
      return casesIn(
        database,
        {
          from,
          where: where + behind,
          parameters: [...parameters, ...(after === undefined ? [] : [after.createdAt, after.id])],
        },
        limit,
      );
    },
    // One statement sees one moment.
    selected: (selector) => casesIn(database, selectionOf(selector)),
    called: (idOrName) => casesIn(database, selectionOf({ ids: [idOrName] })),
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
      writeCase(database, { id, expected }, (queries) => writeFields(queries, id, fields)),
    mocksOf: (ids) => mocksOf(database, ids),
    mocks: async (id) => (await mocksOf(database, [id])).get(id) ?? [],
    replaceMocks: (id, mocks, expected) =>
      writeCase(database, { id, expected }, async (queries) => {
        await writeMocks(queries, new Map([[id, mocks]]));
        // Without mocks before and after nothing else tells of the write.
        await queries.query('update test_case set updated_at = updated_at where id = $1::uuid', [id]);
      }),
    import: (cases, how) => importCases(database, cases, how),
  };
}

const RECORD = `json_to_record($1::text::json) as fields (${FIELD_RECORD})`;

async function casesIn(
  { query }: Queries,
  { from, where, parameters }: Selection,
  limit?: number,
): Promise<readonly KeptCase[]> {
  const most = limit === undefined ? '' : ` limit ${limit}`;
  const rows = await query<CaseRow>(
    `select ${CASE_COLUMNS} from ${from} where ${where} order by created_at, id${most}`,
    parameters,
  );
  return rows.map(keptCase);
}

/** Who writes at the same time waits, and finds it stale. */
async function writeCase(
  database: Database,
  { id, expected }: { readonly id: string; readonly expected: string | undefined },
  write: (queries: Queries) => Promise<void>,
): Promise<CaseWrite> {
  if (!isUuid(id)) return { outcome: 'unknown' };
  return await database.transaction(async (queries) => {
    const found = { from: 'test_case', where: 'id = $1::uuid', parameters: [id] };
    const now = async () => (await casesIn(queries, found))[0];
    await queries.query('select 1 from test_case where id = $1::uuid for update', [id]);
    const before = await now();
    if (before === undefined) return { outcome: 'unknown' };
    if (expected !== undefined && before.updatedAt !== expected) return { outcome: 'stale', case: before };
    await write(queries);
    return { outcome: 'written', case: (await now()) ?? before };
  });
}

async function writeFields({ query }: Queries, id: string, fields: CaseFields): Promise<void> {
  await query(
    `update test_case set (${FIELD_NAMES}) = (select ${FIELD_VALUES} from ${RECORD}) where id = $2::uuid`,
    [JSON.stringify(recordOf(fields)), id],
  );
}
