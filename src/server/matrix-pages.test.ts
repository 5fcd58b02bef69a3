import { expect, test } from 'vitest';

import { viewedRuns } from '../../test/support/viewed-runs.ts';
import { ended, rowOf } from '../storage/run-directory/fixtures/runs.ts';

const { begin, asked } = viewedRuns();

test('pages of a matrix skip no case while a trial that is run again ends anew', async () => {
  const run = await begin(1000, 3);
  const log = run.openLog(0);
  const end = (caseId: string, number: number) => ended(rowOf(caseId, { number }));
  await log.append([end('b', 2), end('a', 1), end('c', 3)]);
  const path = `/runs/${run.manifest.id}/matrix?limit=1`;
  const seen: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await asked(cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`);
    const cases = page['cases'] as readonly Record<string, unknown>[];
    seen.push(...cases.map((row) => [row['case_id'], Object.keys(row)]));
    await log.append([end('a', 1)]);
    cursor = page.next_cursor;
  }
  const keys = ['suite', 'case_id', 'case_name', 'cells'];
  expect(seen).toEqual(['a', 'b', 'c'].map((id) => [id, keys]));
  log.close();
  await run.release();
});
