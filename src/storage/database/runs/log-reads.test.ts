import { expect, test } from 'vitest';

import { folderOfTests } from '../../../../test/support/test-folders.ts';
import { onBothDatabases } from '../../../../test/support/databases.ts';
import { redactor } from '../../../../test/support/written-runs.ts';
import type { Grade } from '../../../core/grade.ts';
import type { Emitted } from '../../../core/run.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { all, ended, manifestOf, of, rowOf } from '../../run-directory/fixtures/runs.ts';
import type { Database, Parameter, Queries } from '../database.ts';
import { databaseRuns } from './store.ts';

const folder = folderOfTests('assay-log-reads-');

const TRIALS = 2000;

onBothDatabases('the log of a run that began after its tables were analyzed', (database) => {
  const begin = (within: Database, month: number, digests: readonly string[] = []) =>
    databaseRuns({ database: within, folder, fold: TALLY_FOLD }).create({
      startedAt: Date.UTC(2026, month),
      redactor,
      manifest: (id) => manifestOf({ id, state: 'running', digests }),
    });

  test('reads only the trials that its facts tell of', async () => {
    const earlier = await begin(database(), 0);
    await earlier.openLog(0).append(starts(1, TRIALS));
    await database().script('analyze trial');
    const read: number[] = [];
    const run = await begin(counting(database(), read, trialsReadBy), 1);
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

  test('does not read all digests of a large run for each grade', async () => {
    const digests = Array.from({ length: 20_000 }, (_, number) => number.toString(16).padStart(64, '0'));
    const read: number[] = [];
    const run = await begin(counting(database(), read, blocksReadBy), 4, digests);
    const log = run.openLog(0);
    await log.append(starts(1, 2));
    read.length = 0;
    const end = (number: number) => {
      const grade = { ...GRADE, digest: digests.length - number };
      return log.append([ended(rowOf(`case-${number}`, { number, grades: [grade] }))]);
    };
    await end(1);
    await end(2);
    expect(Math.max(...read)).toBeLessThan(DIGEST_BLOCKS);
    expect(
      await database().query('select trial_number, digest from grade where run_id = $1', [run.manifest.id]),
    ).toEqual([1, 2].map((number) => ({ trial_number: number, digest: digests[digests.length - number] })));
    await run.release();
  });

  test('is read without a gap while it is written', async () => {
    const run = await begin(database(), 2);
    const log = run.openLog(0);
    const told = (from: number, to: number) => log.append(starts(from, to));
    await told(1, 499);
    const seen: number[] = [];
    for await (const { sequence } of run.stored.events(0)) {
      seen.push(sequence);
      if (sequence === 1) await told(500, 520);
      if (sequence === 510) await told(521, 1600);
    }
    expect(seen).toEqual(Array.from({ length: 1600 }, (_, index) => index + 1));
    await run.release();
  });

  test('gives all rows without a gap while trials end', async () => {
    const run = await begin(database(), 3);
    const log = run.openLog(0);
    const end = (from: number, to: number) =>
      log.append(
        Array.from({ length: to - from + 1 }, (_, index) =>
          ended(rowOf(`case-${from + index}`, { number: from + index })),
        ),
      );
    await end(1, 499);
    const seen: number[] = [];
    for await (const { number } of run.stored.rows()) {
      seen.push(number);
      if (number === 1) await end(500, 520);
    }
    expect(seen).toEqual(Array.from({ length: 520 }, (_, index) => index + 1));
    await run.release();
  });

  test('gives all rows without reading a trial for each page again', async () => {
    await database().script(SMALL_RUNS);
    const read: number[] = [];
    const run = await begin(counting(database(), read, trialsReadBy), 1);
    const numbers = Array.from({ length: TRIALS }, (_, index) => index + 1);
    await run.openLog(0).append(numbers.map((number) => ended(rowOf(`case-${number}`, { number }))));
    read.length = 0;
    expect((await all(run.stored.rows())).map(({ number }) => number)).toEqual(numbers);
    expect(read.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(1.5 * TRIALS);
    await run.release();
  });
});

const GRADE: Grade = {
  name: 'says hi',
  type: 'contains',
  score: 1,
  passed: true,
  weight: 1,
  reason: '',
  durationMs: 1,
};

/** Half of what a list of 20,000 digests has. */
const DIGEST_BLOCKS = 80;

/** Of a run that it has not seen, the database then expects as few trials. */
const SMALL_RUNS = `
  insert into run (id, kind, origin, state, manifest)
    select 'small-' || run, 'run', 'cli', 'completed', '{}' from generate_series(1, 300) as run;
  insert into trial (run_id, number, key, suite, case_key, target, repetition, verdict, ended_sequence, row)
    select 'small-' || run, number, number, 's', number, 't', 1, 'passed', number * 1000, '{}'
    from generate_series(1, 300) as run, generate_series(1, 10) as number;
  analyze trial`;

function starts(from: number, to: number): readonly Emitted[] {
  return Array.from({ length: to - from + 1 }, (_, index) =>
    of(`case-${from + index}`, { type: 'trial-start', number: from + index }),
  );
}

/** What a statement has read, by its plan. */
type Count = (plan: PlanNode) => number;

/** The database, which notes for each statement what it has read. */
function counting(database: Database, read: number[], count: Count): Database {
  return {
    ...database,
    async query(sql, parameters = []) {
      if (sql.startsWith('select')) read.push(...(await explained(database, [sql, parameters], count)));
      return await database.query(sql, parameters);
    },
    transaction: (work) =>
      database.transaction((queries, last) => work(explaining(queries, read, count), last)),
  };
}

/** Each statement is explained, undone and done again. They are sent at once, as without this. */
function explaining({ query, script }: Queries, read: number[], count: Count): Queries {
  return {
    script,
    async query(sql, parameters = []) {
      const [, found] = await Promise.all([
        script('savepoint before'),
        explained({ query }, [sql, parameters], count),
        script('rollback to savepoint before'),
      ]);
      read.push(...found);
      return await query(sql, parameters);
    },
  };
}

async function explained(
  { query }: Pick<Queries, 'query'>,
  [sql, parameters]: readonly [sql: string, parameters: readonly Parameter[]],
  count: Count,
): Promise<readonly number[]> {
  const explain = `explain (analyze, buffers, format json) ${sql}`;
  const [row] = await query<{ 'QUERY PLAN': string }>(explain, parameters);
  const plans = JSON.parse(row?.['QUERY PLAN'] ?? '[]') as readonly { readonly Plan: PlanNode }[];
  return plans.map(({ Plan }) => count(Plan));
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  /** Of the node and those below. */
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

function trialsReadBy(node: PlanNode): number {
  const isScan = node['Relation Name'] === 'trial' && node['Node Type'] !== 'ModifyTable';
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, child) => sum + trialsReadBy(child), isScan ? rows : 0);
}

function blocksReadBy(node: PlanNode): number {
  return node['Shared Hit Blocks'] + node['Shared Read Blocks'];
}
