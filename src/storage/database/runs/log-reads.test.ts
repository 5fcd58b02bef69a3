import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { redactor } from '../../../../test/support/written-runs.ts';
import type { Emitted } from '../../../core/run.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { ended, manifestOf, of, rowOf } from '../../run-directory/fixtures/runs.ts';
import type { Database, Queries } from '../database.ts';
import { databaseRuns } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-log-reads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TRIALS = 2000;

onBothDatabases('the log of a run that began after its tables were analyzed', (database) => {
  const begin = (within: Database, month: number) =>
    databaseRuns({ database: within, folder, fold: TALLY_FOLD }).create({
      startedAt: Date.UTC(2026, month),
      redactor,
      manifest: (id) => manifestOf({ id, state: 'running' }),
    });

  test('reads only the trials that its facts tell of', async () => {
    const earlier = await begin(database(), 0);
    await earlier.openLog(0).append(starts(1, TRIALS));
    await database().script('analyze trial');
    const read: number[] = [];
    const run = await begin(countingTrials(database(), read), 1);
    const log = run.openLog(0);
    await log.append(starts(1, TRIALS));
    read.length = 0;
    await log.append([
      ...starts(TRIALS + 1, TRIALS + 1),
      ended(rowOf('case-1')),
      ended(rowOf('case-2', { number: 2 })),
    ]);
    expect(read.length).toBeGreaterThan(2);
    expect(Math.max(...read)).toBeLessThanOrEqual(6);
    await run.release();
    await earlier.release();
  });
});

function starts(from: number, to: number): readonly Emitted[] {
  return Array.from({ length: to - from + 1 }, (_, index) =>
    of(`case-${from + index}`, { type: 'trial-start', number: from + index }),
  );
}

/** The database, which notes for each statement of a transaction how many rows of trials it has read. */
function countingTrials(database: Database, read: number[]): Database {
  return {
    ...database,
    transaction: (work) => database.transaction((queries) => work(explaining(queries, read))),
  };
}

/** Each statement is explained, undone and done again. They are sent at once, as without this. */
function explaining({ query, script }: Queries, read: number[]): Queries {
  return {
    script,
    async query(sql, parameters) {
      const [, [row]] = await Promise.all([
        script('savepoint before'),
        query<{ 'QUERY PLAN': string }>(`explain (analyze, format json) ${sql}`, parameters),
        script('rollback to savepoint before'),
      ]);
      const plans = JSON.parse(row?.['QUERY PLAN'] ?? '[]') as readonly { readonly Plan: PlanNode }[];
      read.push(...plans.map(({ Plan }) => trialsReadBy(Plan)));
      return query(sql, parameters);
    },
  };
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function trialsReadBy(node: PlanNode): number {
  const isScan = node['Relation Name'] === 'trial' && node['Node Type'] !== 'ModifyTable';
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, child) => sum + trialsReadBy(child), isScan ? rows : 0);
}
