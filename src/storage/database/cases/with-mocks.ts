import type { CaseWithMocks } from '../../../core/case-store.ts';
import type { ToolMock } from '../../../core/test-case.ts';
import type { Database, Queries } from '../database.ts';
import { keptCase, selectCases, type CaseRow } from './case-columns.ts';
import { behind, type Selection } from './selection.ts';

/** Cases of one query. Two such parts are held at once. */
const PAGE = 500;

/** The cases of a selection with their mocks, in parts. All parts are of one state. */
export async function takeWithMocks(
  database: Database,
  selection: Selection,
  take: (part: readonly CaseWithMocks[]) => Promise<void>,
): Promise<void> {
  await database.transaction(async (queries) => {
    await queries.script('set transaction isolation level repeatable read, read only');
    const read = (last?: CaseWithMocks) => pageOf(queries, behind(last, selection));
    for (let next: ReturnType<typeof read> | undefined = read(); next !== undefined;) {
      const part: Awaited<typeof next> = await next;
      // The database reads the next part while this one is taken.
      next = part.length === PAGE ? read(part.at(-1)) : undefined;
      next?.catch(() => undefined);
      if (part.length > 0) await take(part);
    }
  });
}

async function pageOf({ query }: Queries, selection: Selection): Promise<readonly CaseWithMocks[]> {
  const rows = await query<CaseRow & { readonly mocks: readonly string[] }>(
    selectCases(selection, PAGE, [MOCKS]),
    selection.parameters,
  );
  return rows.map((row) => ({
    ...keptCase(row),
    mocks: row.mocks.map((body) => JSON.parse(body) as ToolMock),
  }));
}

const MOCKS = `array(select body::text from tool_mock where test_case_id = test_case.id
  order by tool_mock.position) as mocks`;
