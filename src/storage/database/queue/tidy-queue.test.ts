import { expect, test } from 'vitest';

import { onPostgres } from '../../../../test/support/databases.ts';
import { folderOfTests } from '../../../../test/support/test-folders.ts';
import { redactor } from '../../../../test/support/written-runs.ts';
import type { HandedTrials } from '../../../core/handed-trials.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { AT, manifestOf } from '../../run-directory/fixtures/runs.ts';
import { databaseRuns } from '../runs/store.ts';

const folder = folderOfTests('assay-tidy-queue-');

onPostgres('the rows of trials that are handed out', (database) => {
  const cleared = async () =>
    await database().query<{ relname: string; vacuum_count: number }>(
      `select relname, vacuum_count from pg_stat_user_tables where relname in ('handed_trial', 'run') order by relname`,
    );
  const times = (count: number) => [
    { relname: 'handed_trial', vacuum_count: count },
    { relname: 'run', vacuum_count: count },
  ];

  test('are cleared after each 2000 trials, and so is the row of their run', async () => {
    // PostgreSQL would skip a table while its own daemon works on it.
    for (const table of ['handed_trial', 'run'])
      await database().query(`alter table ${table} set (autovacuum_enabled = off)`);
    const run = await databaseRuns({ database: database(), folder, fold: TALLY_FOLD }).create({
      startedAt: Date.parse(AT),
      redactor,
      manifest: (id) => manifestOf({ id, state: 'running' }),
    });
    await using handed = (await run.handOut?.()) as HandedTrials;
    let last = 0;
    const offer = (count: number) =>
      handed.offer(
        Array.from({ length: count }, () => ({
          number: (last += 1),
          key: `s/case-${last}/t/r1`,
          document: {},
        })),
      );
    await offer(1999);
    expect(await cleared()).toEqual(times(0));
    await offer(1);
    await expect.poll(cleared).toEqual(times(1));
    await offer(2000);
    await expect.poll(cleared).toEqual(times(2));
    await run.release();
  });
});
