import { expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { specOf } from '../../../../test/support/run-spec.ts';
import { codeOf, finish as finished, redactor } from '../../../../test/support/written-runs.ts';
import type { Frozen } from '../../../core/run.ts';
import type { OpenRun } from '../../../core/run-store.ts';
import { trialKey } from '../../../core/trial.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { all, AT, manifestOf, note, rowOf } from '../../run-directory/fixtures/runs.ts';
import { beginFrozen } from './frozen.ts';
import { takeLease } from './lease.ts';
import { openLog } from './log.ts';
import { placeIn } from './run-room.ts';
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
const AGENT = { id: '00000000-0000-4000-8000-000000000001', version: 3 };
const PLANNED = specOf(
  Array.from({ length: MANY }, (_, index) => `case ${index}`),
  [{ targets: ['t'], repeat: 1 }],
);
const SPEC = { ...PLANNED, targets: PLANNED.targets.map((target) => ({ ...target, agent: AGENT })) };

onBothDatabases('the plan of a large run', (database) => {
  const runs = () => databaseRuns({ database: database(), folder, fold: TALLY_FOLD });
  let day = 0;
  const begin = (frozen: readonly Frozen[] = COPIES): Promise<OpenRun> =>
    runs().create({
      startedAt: Date.UTC(2026, 0, (day += 1)),
      redactor,
      spec: SPEC,
      frozen,
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

  /** Lets the database take no row of that table, or only not the first ones. Returns what ends that. */
  const withoutRoom = async (
    table: 'trial' | 'run_frozen',
    refused = 'true',
  ): Promise<() => Promise<void>> => {
    await database().script(
      `create sequence tries;
       create function no_rows() returns trigger language plpgsql as $$ begin
         if nextval('tries') < 0 or not (${refused}) then return new; end if;
         raise exception 'there is no space left' using errcode = '53100';
       end $$;
       create trigger no_rows before insert on ${table} for each row execute function no_rows()`,
    );
    return () =>
      database().script(`drop trigger no_rows on ${table}; drop function no_rows; drop sequence tries`);
  };

  /** Begins a run whose process cannot write rows of trials after the run has begun, which ends its log. */
  const beginWithoutTrials = async (): Promise<OpenRun> => {
    const makeRoom = await withoutRoom('trial');
    const run = await begin();
    const log = run.openLog(0);
    let code: string | undefined;
    while (code === undefined) code = await codeOf(log.append([note('')]));
    await makeRoom();
    expect(code).toBe('results-not-written');
    return run;
  };

  /** Begins a run with copies that no process writes by itself. */
  const beginWaiting = async (): Promise<OpenRun> => {
    const run = await begin([]);
    await expect.poll(() => countOf('waiting_trials')).toBe(0);
    await database().transaction((queries) =>
      beginFrozen(queries, run.manifest.id, { copies: COPIES, redaction: redactor }),
    );
    return run;
  };

  test('has the rows of its trials when it has ended, and its copies when they are read', async () => {
    const run = await begin();
    await run.openLog(0).append([note('')]);
    await finished(run, []);
    expect(await countOf('trial')).toBe(MANY);
    expect(await all(run.stored.frozen())).toEqual(COPIES);
    expect(await written()).toEqual(whole);
  });

  test('runs trials that have no rows yet, which get the rest of the plan later', async () => {
    const run = await beginWithoutTrials();
    await run.release();
    const id = run.manifest.id;
    const [{ last_sequence: last } = { last_sequence: 0 }] = await database().query<{
      last_sequence: number;
    }>('select last_sequence from run where id = $1', [id]);
    const lease = await takeLease(database(), id);
    const place = placeIn({ database: database(), folder, fold: TALLY_FOLD }, id);
    const row = { ...rowOf('case 4000', { number: 4001 }), target: 't' };
    const trial = trialKey(row);
    const log = openLog(place, redactor, { lease: lease.id, lastSequence: last });
    await log.append([
      { trial, at: AT, fact: { type: 'trial-start', number: 4001 } },
      { trial, at: AT, fact: { type: 'trial-end', row } },
    ]);
    expect(await countOf('trial')).toBe(1);
    await lease.release();
    const claimed = await runs().claim(run.stored);
    expect(await all(claimed.stored.frozen())).toEqual(COPIES);
    expect(await written()).toEqual(whole);
    const rows = await database().query(
      `select number, key, agent_id, agent_version, verdict from trial where number in (4000, 4001) order by number`,
    );
    const agent = { agent_id: AGENT.id, agent_version: AGENT.version };
    expect(rows).toEqual([
      { number: 4000, key: trialKey({ ...row, caseId: 'case 3999' }), ...agent, verdict: null },
      { number: 4001, key: trial, ...agent, verdict: 'passed' },
    ]);
    await claimed.release();
  });

  test('gives single copies before all of them have rows', async () => {
    const run = await beginWaiting();
    await run.release();
    const wanted = new Set(['d5000', 'unknown']);
    expect(await all(run.stored.frozen(wanted))).toEqual([COPIES[5000]]);
    expect(await written()).toEqual({ trials: MANY, copies: 1, waiting: 1 });
    expect(await all(run.stored.frozen(wanted))).toEqual([COPIES[5000]]);
    expect(await all(run.stored.frozen(new Set(['d1', 'd5000'])))).toEqual([COPIES[5000], COPIES[1]]);
    expect(await written()).toEqual(whole);
  });

  test('is read whole while it has no rows', async () => {
    const run = await begin();
    expect(await all(run.stored.frozen())).toEqual(COPIES);
    expect(await all(run.stored.frozen(new Set(['d5000'])))).toEqual([COPIES[5000]]);
    // Nothing is written any more when the next test begins.
    await finished(run, []);
  });

  test('is completed by the next process after one that wrote no row of a trial', async () => {
    const run = await beginWithoutTrials();
    await run.release();
    expect(await written()).not.toEqual(whole);
    const claimed = await runs().claim(run.stored);
    expect(await countOf('trial')).toBe(MANY);
    await expect.poll(written).toEqual(whole);
    expect(await all(claimed.stored.frozen())).toEqual(COPIES);
    await claimed.release();
  });

  test('goes on after copies that could not be written, which are tried again', async () => {
    const makeRoom = await withoutRoom('run_frozen', `currval('tries') = 1`);
    const run = await begin();
    const tried = async () => {
      const [row] = await database().query<{ called: boolean }>('select is_called as called from tries');
      return row?.called;
    };
    await expect.poll(tried).toBe(true);
    await run.openLog(0).append([note('')]);
    await expect.poll(written, { timeout: 60_000 }).toEqual(whole);
    await makeRoom();
    await finished(run, []);
    expect(await all(run.stored.frozen())).toEqual(COPIES);
  });

  test('is claimed before its copies have rows, and keeps the copies of its begin', async () => {
    const run = await beginWaiting();
    await run.release();
    const makeRoom = await withoutRoom('run_frozen', `exists (select from waiting_copies)`);
    const claimed = await runs().claim(run.stored);
    const opened = await claimed.open(run.manifest, redactor);
    await opened.openLog(0).append([note('')]);
    const more: Frozen = { digest: 'more', kind: 'case', body: { number: MANY } };
    const edited: Frozen = { digest: 'd0', kind: 'case', body: { number: -1 } };
    await makeRoom();
    await opened.keepFrozen([edited, more]);
    const kept = await all(opened.stored.frozen());
    expect(kept).toHaveLength(MANY + 1);
    expect(kept).toEqual(expect.arrayContaining([COPIES[0], more]));
    await finished(opened, []);
  });

  test('is completed by readers that come at the same time', async () => {
    const run = await beginWaiting();
    const read = await Promise.all([all(run.stored.frozen()), all(run.stored.frozen())]);
    expect(read).toEqual([COPIES, COPIES]);
    expect(await written()).toEqual(whole);
    await run.release();
  });

  test('leaves nothing behind when its run is removed', async () => {
    const run = await beginWaiting();
    await run.release();
    await database().query('delete from run');
    expect(await written()).toEqual({ trials: 0, copies: 0, waiting: 0 });
  });
});
