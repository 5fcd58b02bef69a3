import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { rowLists } from '../../../../test/support/row-lists.ts';
import { redactor } from '../../../../test/support/written-runs.ts';
import type { Emitted, Row } from '../../../core/run.ts';
import type { OpenRun } from '../../../core/run-store.ts';
import { trialKey } from '../../../core/trial.ts';
import { countedOf, emptyTally, tallied } from '../../../reading/tally.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { all, AT, manifestOf, note } from '../../run-directory/fixtures/runs.ts';
import type { SqlRow } from '../database.ts';
import { rebuildRuns } from './rebuild.ts';
import { databaseRuns } from './store.ts';

/** Starts, ends, late notes, attempts in place of others and resumptions that drop ends, in any order. */
const logs = rowLists.chain((rows) =>
  fc.record({
    rows: fc.constant(rows),
    isNumbered: fc.boolean(),
    steps: fc.array(
      fc.record({
        what: fc.constantFrom('start', 'end', 'end', 'note', 'drop', 'money'),
        which: fc.nat({ max: Math.max(0, rows.length - 1) }),
        batch: fc.boolean(),
      }),
      { maxLength: 30 },
    ),
  }),
);

onBothDatabases('rebuilding', (database) => {
  const runs = () => databaseRuns({ database: database(), folder: '/none', fold: TALLY_FOLD });
  const begin = (startedAt: number): Promise<OpenRun> =>
    runs().create({
      startedAt,
      redactor,
      manifest: (id) => manifestOf({ id, state: 'running', digests: ['x', 'y'] }),
    });
  const tables = async (): Promise<readonly (readonly SqlRow[])[]> =>
    Promise.all([
      database().query('select * from trial order by run_id, number'),
      database().query('select * from grade order by run_id, trial_number, ordinal'),
      database().query('select id, tally, spent_usd, reserved_usd, last_sequence from run order by id'),
    ]);

  test('makes equal rows from any log, equal to the fold of the log', async () => {
    let day = 0;
    await fc.assert(
      fc.asyncProperty(logs, async ({ rows, steps, isNumbered }) => {
        const run = await begin(Date.UTC(2026, 0, (day += 1)));
        const log = run.openLog(0);
        const waiting: Emitted[] = [];
        const last = new Map<string, Row>();
        for (const { what, which, batch } of steps) {
          const row = rows[which];
          if (row !== undefined)
            waiting.push(stepOf(what, isNumbered ? { ...row, number: which + 1 } : row, isNumbered));
          if (row !== undefined && what === 'end') last.set(trialKey(row), row);
          if (row !== undefined && what === 'drop') last.delete(trialKey(row));
          if (batch) await log.append(waiting.splice(0));
        }
        await log.append(waiting);
        await run.release();
        const before = await tables();
        await rebuildRuns(database(), TALLY_FOLD);
        expect(await tables()).toEqual(before);

        const found = await all(run.stored.rows());
        const unnumbered = found.map((row) => ({ ...row, number: 1 }));
        expect(new Map(unnumbered.map((row) => [trialKey(row), row]))).toEqual(last);
        const [kept] = await database().query<{ tally: string | null }>(
          'select tally from run where id = $1',
          [run.manifest.id],
        );
        const tally = kept?.tally == null ? emptyTally : (JSON.parse(kept.tally) as typeof emptyTally);
        const folded = [...last.values()].reduce((so, row) => tallied(so, countedOf(row)), emptyTally);
        expect([tally.counts, tally.byStatus]).toEqual([folded.counts, folded.byStatus]);
        await database().query('delete from run');
      }),
      { numRuns: 40 },
    );
  });

  test('repairs what somebody has changed', async () => {
    const run = await begin(Date.UTC(2026, 0, 1));
    const [row] =
      fc.sample(
        rowLists.filter(({ length }) => length > 0),
        1,
      )[0] ?? [];
    if (row === undefined) throw new Error('there is a row');
    await run.openLog(0).append([stepOf('start', row, true), stepOf('end', row, true)]);
    await run.release();
    const before = await tables();
    await database().script(`update trial set verdict = 'cancelled', score = 0.25; delete from grade;
      update run set tally = null`);
    expect(await tables()).not.toEqual(before);
    expect(await rebuildRuns(database(), TALLY_FOLD)).toEqual({ runs: 1, skipped: [] });
    expect(await tables()).toEqual(before);
  });

  test('leaves a run alone that a process writes, and tells of it', async () => {
    const [ended, written] = [await begin(Date.UTC(2026, 3, 1)), await begin(Date.UTC(2026, 3, 2))];
    await ended.release();
    await database().query(`update run set tally = '{}'`);
    expect(await rebuildRuns(database(), TALLY_FOLD)).toEqual({ runs: 1, skipped: [written.manifest.id] });
    expect(await database().query('select tally from run order by id')).toEqual([
      { tally: null },
      { tally: '{}' },
    ]);
    // Its process has died.
    await database().query(
      `update run set lease_until = clock_timestamp() - interval '1 second' where lease_id is not null`,
    );
    expect(await rebuildRuns(database(), TALLY_FOLD)).toEqual({ runs: 2, skipped: [] });
    await written.release();
  });

  test('gives runs of earlier versions their settings and the digest of their cases', async () => {
    const run = await begin(Date.UTC(2026, 5, 1));
    const read = () => database().query('select settings, case_digest from run');
    const [before] = await read();
    expect(before?.['case_digest']).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(String(before?.['settings']))).toMatchObject({ seed: run.manifest.seed });
    await database().query('update run set settings = null, case_digest = null');
    await run.release();
    await rebuildRuns(database(), TALLY_FOLD);
    expect(await read()).toEqual([before]);
  });
});

function stepOf(what: string, row: Row, isNumbered: boolean): Emitted {
  const place = { at: AT, trial: trialKey(row), attempt: 1 };
  switch (what) {
    case 'start':
      return { ...place, fact: { type: 'trial-start', ...(isNumbered ? { number: row.number } : {}) } };
    case 'end': {
      const { number: _, ...unnumbered } = row;
      return { ...place, fact: { type: 'trial-end', row: isNumbered ? row : (unnumbered as Row) } };
    }
    case 'note':
      return { ...place, fact: { type: 'note', text: 'late\u0000' } };
    case 'drop':
      return { ...note(''), fact: { type: 'run-resume', remaining: 1, dropped: [place.trial] } };
    default:
      return {
        ...note(''),
        fact: { type: 'run-state', state: 'running', money: { spentUsd: 0.25, reservedUsd: 1 } },
      };
  }
}
