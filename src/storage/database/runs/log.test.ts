import { expect, test } from 'vitest';

import { eventLogContract } from '../../../../test/contracts/event-log.ts';
import { onBothDatabases } from '../../../../test/support/databases.ts';
import { codeOf, redactor } from '../../../../test/support/written-runs.ts';
import type { Emitted } from '../../../core/run.ts';
import type { OpenRun } from '../../../core/run-store.ts';
import type { Redactor } from '../../../lib/redact/redact.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { all, attemptOf, ended, manifestOf, note, of, rowOf } from '../../run-directory/fixtures/runs.ts';
import { keptText } from './attachments.ts';
import { databaseRuns } from './store.ts';
import { folderOfTests } from '../../../../test/support/test-folders.ts';

const folder = folderOfTests('assay-log-');

onBothDatabases('the log of a run', (database) => {
  const runs = () => databaseRuns({ database: database(), folder, fold: TALLY_FOLD });
  let begun = 0;
  const begin = (hiding: Redactor = redactor): Promise<OpenRun> =>
    runs().create({
      startedAt: Date.UTC(2026, 0, (begun += 1)),
      redactor: hiding,
      manifest: (id) => manifestOf({ id, state: 'running' }),
    });

  eventLogContract('a log in a database', async (hiding) => {
    const run = await begin(hiding);
    const log = run.openLog(0);
    return {
      log,
      reopen: async () => {
        log.close();
        await run.release();
        const again = await runs().claim(run.stored);
        const events = await all(run.stored.events());
        return (await again.open(run.manifest, hiding)).openLog(events.length);
      },
      attachment: (digest) => keptText(database(), digest),
    };
  });

  test('keeps facts byte for byte: NUL, half characters and unsorted keys', async () => {
    const run = await begin();
    const output = { zeta: 'a\u0000b', alpha: '\ud800', 2: 'two', 1: ['one', { b: 1, a: null }] };
    const said = {
      type: 'transcript-entry',
      entry: { id: 'e', at: 't', turn: 1, type: 'tool-result', callId: 'c', output },
    } as const;
    await run.openLog(0).append([of('a\u0000\ud800', said)]);
    const [kept] = await database().query<{ fact: string }>('select fact from run_event');
    expect(kept?.fact).toBe(JSON.stringify(said));
    expect((await all(run.stored.events()))[0]?.fact).toEqual(said);
  });

  test('is written whole or not at all: an append that fails leaves no event and no row', async () => {
    const run = await begin();
    const log = run.openLog(0);
    await log.append([note('a')]);
    await database().script(
      `create function refuse_rows() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$;
       create trigger refuse_rows before insert on trial for each row execute function refuse_rows()`,
    );
    const failed = await codeOf(log.append([note('b'), ended(rowOf('a'))]));
    await database().script('drop trigger refuse_rows on trial; drop function refuse_rows');
    expect(failed).toBe('results-not-written');
    expect(await codeOf(log.append([note('c')]))).toBe('results-not-written');
    expect(await all(run.stored.events())).toHaveLength(1);
    expect(await all(run.stored.rows())).toEqual([]);
  });

  test('refuses who has lost the lease, in events and in the manifest', async () => {
    const run = await begin();
    const log = run.openLog(0);
    await log.append([note('a')]);
    await database().query(`update run set lease_until = clock_timestamp() - interval '1 second'`);
    expect(await run.stored.state()).toBe('interrupted');
    const taken = await runs().claim(run.stored);
    expect(await run.stored.state()).toBe('running');
    expect(await codeOf(log.append([note('b')]))).toBe('lease-lost');
    expect(await codeOf(Promise.resolve(run.save(run.manifest)))).toBe('lease-lost');
    const other = await taken.open(run.manifest, redactor);
    expect(await other.openLog(1).append([note('c')])).toMatchObject([{ sequence: 2 }]);
    // The process that lost it cannot give it back either.
    await run.release();
    expect(await codeOf(runs().claim(run.stored))).toBe('run-in-use');
    await taken.release();
  });

  test('refuses to go on behind another number than its last', async () => {
    const run = await begin();
    await run.openLog(0).append([note('a'), note('b')]);
    expect(await codeOf(run.openLog(1).append([note('c')]))).toBe('lease-lost');
    expect(await all(run.stored.events())).toHaveLength(2);
  });

  test('writes what many ask for at once in few transactions', async () => {
    const run = await begin();
    const log = run.openLog(0);
    const facts = Array.from({ length: 300 }, (_, index) => attemptOf(`c${index}`, 1, ['hi']));
    const events = await Promise.all(facts.map((some) => log.append(some)));
    expect(await all(run.stored.events())).toEqual(events.flat());
    const [{ transactions = 0 } = {}] = await database().query<{ transactions: number }>(
      'select count(distinct xmin::text) as transactions from run_event',
    );
    expect(transactions).toBeLessThan(10);
  });

  test('is written by runs that keep the same large texts in another order', async () => {
    const logs = [(await begin()).openLog(0), (await begin()).openLog(0)];
    const facts = Array.from({ length: 40 }, (_, index) =>
      of('a', {
        type: 'transcript-entry',
        entry: {
          id: 'e',
          at: 't',
          turn: 1,
          type: 'tool-result',
          callId: 'c',
          output: `${index}${'z'.repeat(300_000)}`,
        },
      }),
    );
    const codes = logs.map((log, index) => codeOf(log.append(index === 0 ? facts : facts.toReversed())));
    expect(await Promise.all(codes)).toEqual([undefined, undefined]);
  });

  test('sets money aside only if it fits into the budget, for each process that asks', async () => {
    const { settings } = manifestOf({});
    const run = await runs().create({
      startedAt: Date.UTC(2027, 0, (begun += 1)),
      redactor,
      manifest: (id) =>
        manifestOf({ id, state: 'running', settings: { ...settings, options: { maxCostUsd: 1 } } }),
    });
    const money = (spentUsd: number, reservedUsd: number, setAsideUsd?: number): Emitted => ({
      at: '2026-01-01T00:00:00.000Z',
      fact: {
        type: 'run-state',
        state: 'running',
        money: { spentUsd, reservedUsd, ...(setAsideUsd === undefined ? {} : { setAsideUsd }) },
      },
    });
    const row = async () =>
      (await database().query('select spent_usd, reserved_usd, last_sequence from run'))[0];
    await run.openLog(0).append([money(0, 0.6, 0.6)]);
    const other = run.openLog(1);
    expect(await codeOf(other.append([money(0, 0.5, 0.5)]))).toBe('budget-spent');
    expect(await row()).toEqual({ spent_usd: 0, reserved_usd: 0.6, last_sequence: 1 });
    const [taken] = await other.append([money(0, 1, 0.4)]);
    expect([taken?.sequence, await row()]).toEqual([2, { spent_usd: 0, reserved_usd: 1, last_sequence: 2 }]);
    // A cost above the reservation is counted too.
    await other.append([money(1.5, 0)]);
    expect(await row()).toEqual({ spent_usd: 1.5, reserved_usd: 0, last_sequence: 3 });
    await run.release();
  });

  test('is written again where the database ended the transaction because of another one', async () => {
    const run = await begin();
    await database().script(
      `create sequence tried;
       create function lose_once() returns trigger language plpgsql as $$ begin
         if nextval('tried') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
         return new;
       end $$;
       create trigger lose_once before insert on run_event for each row execute function lose_once()`,
    );
    const failed = await codeOf(run.openLog(0).append([note('a')]));
    await database().script(
      'drop trigger lose_once on run_event; drop function lose_once; drop sequence tried',
    );
    expect(failed).toBeUndefined();
    expect(await all(run.stored.events())).toHaveLength(1);
  });
});
