import type { ToolMock } from '../../../core/test-case.ts';
import type { Queries } from '../database.ts';

/** The mocks of cases, in the order in which they are tried, by the ids of the cases. */
export async function mocksOf(
  { query }: Queries,
  cases: readonly string[],
): Promise<ReadonlyMap<string, readonly ToolMock[]>> {
  const rows = await query<{ id: string; body: string }>(
    `select test_case_id as id, body from tool_mock where test_case_id = any($1::uuid[])
     order by test_case_id, position`,
    [cases],
  );
  const mocks = new Map<string, ToolMock[]>(cases.map((id) => [id, []]));
  for (const { id, body } of rows) mocks.get(id)?.push(JSON.parse(body) as ToolMock);
  return mocks;
}

/** Replaces the mocks of cases. */
export async function writeMocks(
  { query }: Queries,
  mocks: ReadonlyMap<string, readonly ToolMock[]>,
): Promise<void> {
  if (mocks.size === 0) return;
  await query('delete from tool_mock where test_case_id = any($1::uuid[])', [[...mocks.keys()]]);
  const rows = [...mocks].flatMap(([id, list]) =>
    list.map((mock, position) => ({ id, position, tool: mock.tool, body: JSON.stringify(mock) })),
  );
  await query(
    `insert into tool_mock (test_case_id, position, tool, body)
     select id, position, tool, body::json
     from json_to_recordset($1::text::json) as mock (id uuid, position int, tool text, body text)`,
    [JSON.stringify(rows)],
  );
}
