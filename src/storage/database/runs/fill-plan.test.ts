import { expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { specOf } from '../../../../test/support/run-spec.ts';
import { codeOf, redactor } from '../../../../test/support/written-runs.ts';
import type { Frozen } from '../../../core/run.ts';
import type { OpenRun } from '../../../core/run-store.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { all, manifestOf, note } from '../../run-directory/fixtures/runs.ts';
import { databaseRuns } from './store.ts';
import { folderOfTests } from '../../../../test/support/test-folders.ts';

const folder = folderOfTests('assay-filled-');

/** More trials and copies than are written together with their run. */
const MANY = 5001;

const COPIES = Array.from({ length: MANY }, (_, index): Frozen => ({
  digest: `d${index}`,
  kind: 'case',
  body: { number: index },
}));
const SPEC = specOf(
  Array.from({ length: MANY }, (_, index) => `case ${index}`),
  [{ targets: ['t'], repeat: 1 }],
);

onBothDatabases('the plan of a large run', (database) => {
  const runs = () => databaseRuns({ database: database(), folder, fold: TALLY_FOLD });
  let day = 0;
  const begin = (): Promise<OpenRun> =>
    runs().create({
      startedAt: Date.UTC(2026, 0, (day += 1)),
      redactor,
      spec: SPEC,
      frozen: COPIES,
      manifest: (id) => manifestOf({ id, state: 'running' }),
    });
  const countOf = async (table: string): Promise<number> => {
    const [row] = await database().query<{ rows: number }>(`select count(*) as rows from ${table}`);
    return row?.rows ?? 0;
  };
  const written = async () => ({
    trials: await countOf('trial'),
    copies: await countOf('run_frozen'),
    waiting: (await countOf('waiting_trials')) + (await countOf('waiting_copies')),
  });
  const whole = { trials: MANY, copies: MANY, waiting: 0 };

  /** Begins a run whose process cannot write rows of that table after the run has begun. */
  const beginWithout = async (table: 'trial' | 'run_frozen'): Promise<OpenRun> => {
    await database().script(
      `create function no_rows() returns trigger language plpgsql as $$ begin
         raise exception 'there is no space left' using errcode = '53100';
       end $$;
       create trigger no_rows before insert on ${table} for each row execute function no_rows()`,
    );
    const run = await begin();
    const code = await codeOf(run.openLog(0).append([note('')]));
    await database().script(`drop trigger no_rows on ${table}; drop function no_rows`);
    expect(code).toBe('results-not-written');
    return run;
  };

  test('has its rows before the first event', async () => {
    const run = await begin();
    await run.openLog(0).append([note('')]);
    expect(await written()).toEqual(whole);
    await run.release();
  });

  test('is read whole while it has no rows', async () => {
    const run = await begin();
    expect(await all(run.stored.frozen())).toEqual(COPIES);
    expect(await all(run.stored.frozen(new Set(['d5000'])))).toEqual([COPIES[5000]]);
    await run.release();
  });

  test.each(['trial', 'run_frozen'] as const)(
    'is completed by the next process after one that wrote no row of %s',
    async (table) => {
      const run = await beginWithout(table);
      await run.release();
      expect(await written()).not.toEqual(whole);
      const claimed = await runs().claim(run.stored);
      expect(await written()).toEqual(whole);
      expect(await all(claimed.stored.frozen())).toEqual(COPIES);
      await claimed.release();
    },
  );

  test('is completed by readers that come at the same time', async () => {
    const run = await beginWithout('run_frozen');
    const read = await Promise.all([all(run.stored.frozen()), all(run.stored.frozen())]);
    expect(read).toEqual([COPIES, COPIES]);
    expect(await written()).toEqual(whole);
    await run.release();
  });

  test('leaves nothing behind when its run is removed', async () => {
    const run = await beginWithout('run_frozen');
    await run.release();
    await database().query('delete from run');
    expect(await written()).toEqual({ trials: 0, copies: 0, waiting: 0 });
  });
});
