import type { ToolMock } from '../../core/test-case.ts';
import { arrayText } from './array-text.ts';
import type { Queries } from './database.ts';

/** What mocks belong to. */
type Owner = 'test_case' | 'agent';

/**
 * The mocks of cases or agents, in the order in which they are tried, by the ids of their owners. Owners without mocks
 * are absent.
 */
export async function mocksOf(
  { query }: Queries,
  owners: readonly string[],
  kind: Owner,
): Promise<ReadonlyMap<string, readonly ToolMock[]>> {
  const rows = await query<{ id: string; body: string }>(
    `select ${kind}_id as id, body from tool_mock where ${kind}_id = any($1::text::uuid[])
     order by ${kind}_id, position`,
    [arrayText(owners)],
  );
  const mocks = new Map<string, ToolMock[]>();
  for (const { id, body } of rows) {
    const mock = JSON.parse(body) as ToolMock;
    const known = mocks.get(id);
    if (known === undefined) mocks.set(id, [mock]);
    else known.push(mock);
  }
  return mocks;
}

/** Replaces the mocks of cases or agents. */
export async function writeMocks(
  { query }: Queries,
  mocks: ReadonlyMap<string, readonly ToolMock[]>,
  kind: Owner,
): Promise<void> {
  if (mocks.size === 0) return;
  await query(`delete from tool_mock where ${kind}_id = any($1::uuid[])`, [[...mocks.keys()]]);
  const rows = [...mocks].flatMap(([id, list]) =>
    list.map((mock, position) => ({ id, position, tool: mock.tool, body: JSON.stringify(mock) })),
  );
  await query(
    `insert into tool_mock (${kind}_id, position, tool, body)
     select id, position, tool, body::json
     from json_to_recordset($1::text::json) as mock (id uuid, position int, tool text, body text)`,
    [JSON.stringify(rows)],
  );
}
