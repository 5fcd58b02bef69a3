import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { redactor as plain } from '../../../../test/support/written-runs.ts';
import type { Frozen } from '../../../core/run.ts';
import { sha256 } from '../../../lib/digest.ts';
import { createRedactor } from '../../../lib/redact/redact.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { all, manifestOf } from '../../run-directory/fixtures/runs.ts';
import { pruneRuns } from './prune.ts';
import { databaseRuns } from './store.ts';
import { folderOfTests } from '../../../../test/support/test-folders.ts';

const folder = folderOfTests('assay-frozen-');

const METRICS = Array.from({ length: 20 }, (_, id) => ({
  id,
  rubric: `How well does it do ${id}? "quoted"\n漢`,
}));

/** Expectations of cases that share their metrics, as a run has them. */
const copies = (digest: string, metrics: object = METRICS): readonly Frozen[] =>
  Array.from({ length: 5 }, (_, index) => ({
    digest: `${digest}${index}`,
    kind: 'expectation',
    body: {
      type: 'judge',
      config: { calls: [index], metrics, 2: 'two', __proto__x: null },
      version: 1,
    } as never,
  }));

onBothDatabases('frozen copies', (database) => {
  const runs = () => databaseRuns({ database: database(), folder, fold: TALLY_FOLD });
  let day = 0;
  const begin = (frozen: Iterable<Frozen>, redactor = plain) =>
    runs().create({
      startedAt: Date.UTC(2026, 0, (day += 1)),
      redactor,
      frozen,
      manifest: (id) => manifestOf({ id, state: 'running' }),
    });
  const kept = async (): Promise<readonly { content: string; body: string; part: string | null }[]> =>
    await database().query('select content, body, part from frozen order by digest');

  test('keep what they have in common once, and are read as they were, byte for byte', async () => {
    const run = await begin(copies('d'));
    const read = await all(run.stored.frozen());
    expect(read.map((copy) => JSON.stringify(copy))).toEqual(copies('d').map((copy) => JSON.stringify(copy)));
    expect(await all(run.stored.frozen(new Set(['d3'])))).toEqual([copies('d')[3]]);
    const rows = await kept();
    expect(rows.map(({ content }) => content)).toEqual(
      copies('d').map(({ body }) => sha256(JSON.stringify(body))),
    );
    const shared = sha256(JSON.stringify(METRICS));
    expect(rows.map(({ part }) => part)).toEqual([null, shared, shared, shared, shared]);
    expect(rows[1]?.body).toBe(
      JSON.stringify({
        type: 'judge',
        config: { calls: [1], metrics: null, 2: 'two', __proto__x: null },
        version: 1,
      }),
    );
    expect(await database().query('select content from frozen_part')).toEqual([{ content: shared }]);
    await run.release();
  });

  test('have no secret, neither in their shared part nor in the rest', async () => {
    const redactor = createRedactor({ environment: { MY_KEY: 'sk-hidden-0123456' } });
    const secret = METRICS.map((metric) => ({ ...metric, rubric: `${metric.rubric} sk-hidden-0123456` }));
    const beside = copies('b').map(({ body, ...copy }) => ({
      ...copy,
      body: { ...(body as object), note: 'sk-hidden-0123456' } as never,
    }));
    const run = await begin([...copies('a', secret), ...beside, ...copies('c')], redactor);
    const read = await all(run.stored.frozen());
    expect(JSON.stringify(read)).not.toContain('sk-hidden');
    expect(read).toEqual(redactor.json([...copies('a', secret), ...beside, ...copies('c')]));
    expect(JSON.stringify(await kept())).not.toContain('sk-hidden');
    await run.release();
  });

  test('keep their parts as long as any run has one of them', async () => {
    const [first, second] = [await begin(copies('d')), await begin(copies('d').slice(0, 2))];
    await Promise.all([first.release(), second.release()]);
    const prune = async (id: string) => {
      await database().query(`update run set archived_at = '2020-01-01T00:00:00Z' where id = $1`, [id]);
      return await pruneRuns(
        { database: database(), folder: join(tmpdir(), 'assay-no-runs') },
        { archivedBefore: '2026-01-01T00:00:00Z' },
      );
    };
    expect((await prune(first.manifest.id)).runs).toEqual([first.manifest.id]);
    expect(await all(second.stored.frozen())).toEqual(copies('d').slice(0, 2));
    expect(await kept()).toHaveLength(2);
    await prune(second.manifest.id);
    const left = ['frozen', 'run_frozen', 'frozen_part'].map((table) =>
      database().query(`select 1 from ${table}`),
    );
    expect(await Promise.all(left)).toEqual([[], [], []]);
  });

  test('are written whole again where the transaction has lost a deadlock', async () => {
    await database().script(
      `create sequence tried;
       create function lose_once() returns trigger language plpgsql as $$ begin
         if nextval('tried') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
         return new;
       end $$;
       create trigger lose_once before insert on run_frozen for each row execute function lose_once()`,
    );
    const run = await begin(copies('d'));
    await database().script(
      'drop trigger lose_once on run_frozen; drop function lose_once; drop sequence tried',
    );
    expect(await all(run.stored.frozen())).toEqual(copies('d'));
    await run.release();
  });
});
