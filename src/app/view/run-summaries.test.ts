import { expect, test } from 'vitest';

import { onBothDatabases } from '../../../test/support/databases.ts';
import { redactor } from '../../../test/support/written-runs.ts';
import type { Grade } from '../../core/grade.ts';
import type { Emitted } from '../../core/run.ts';
import type { OpenRun } from '../../core/run-store.ts';
import { TALLY_FOLD } from '../../reading/row-fold.ts';
import type { Database } from '../../storage/database/database.ts';
import { databaseStore } from '../../storage/database/store.ts';
import { ended, manifestOf, note, of, rowOf } from '../../storage/run-directory/fixtures/runs.ts';
import { countRun } from './counted-run.ts';
import { runSummaries, type RunSummaries } from './run-summaries.ts';

/** Counts the statements that a database is asked. */
function counting(database: Database) {
  let asked = 0;
  const counted: Database = {
    ...database,
    query: (sql, parameters) => {
      asked += 1;
      return database.query(sql, parameters);
    },
  };
  return { counted, since: () => asked, reset: () => void (asked = 0) };
}

onBothDatabases('runs for lists', (database) => {
  const storeOn = (used: Database) =>
    databaseStore(used, { folder: '/none', fold: TALLY_FOLD, now: Date.now });
  const begin = (startedAt: number, targets: readonly string[] = ['t']): Promise<OpenRun> =>
    storeOn(database()).runs.create({
      startedAt,
      redactor,
      listed: { origin: 'server' },
      manifest: (id) =>
        manifestOf({
          id,
          state: 'running',
          startedAt: new Date(startedAt).toISOString(),
          suites: [{ id: 'stored', name: 'stored', file: 'store', cases: 1, digest: 'd' }],
          targets: targets.map((name) => ({ name, type: 'mock', config: {}, digest: 0 })),
        }),
    });
  const keep = async (startedAt: number, facts: readonly Emitted[], targets?: readonly string[]) => {
    const run = await begin(startedAt, targets);
    const log = run.openLog(0);
    await log.append(facts);
    log.close();
    const endedAt = new Date(startedAt + 1000).toISOString();
    await run.save({ ...run.manifest, state: 'completed', endedAt });
    await run.release();
    return run.manifest.id;
  };
  const idsOf = async (runs: RunSummaries, filter: Parameters<RunSummaries['page']>[0]) =>
    (await runs.page(filter, { limit: 10, order: 'newest-first' })).map(({ id }) => id);

  test('are filtered by the database as they are in run directories', async () => {
    const store = storeOn(database());
    const ids = [
      await keep(Date.UTC(2026, 0, 1), [ended(rowOf('a'))], ['t', 'Other']),
      await keep(Date.UTC(2026, 0, 2), [ended(rowOf('a'))]),
      await keep(Date.UTC(2026, 0, 3), []),
    ];
    const [first = '', second = '', third = ''] = ids;
    await store.listings.change(second, { name: 'Nightly', tags: ['x'], line: 'main' });
    await store.listings.change(third, { isArchived: true });
    const going = await begin(Date.UTC(2026, 0, 4));
    const last = going.manifest.id;
    await store.sets.create({ name: 'none', description: null });
    const withStore = runSummaries(store.runs, store.listings);
    const withoutListings = runSummaries(store.runs);
    for (const filter of [
      {},
      { state: ['completed'] },
      { state: ['running', 'unreadable'] },
      { target: ['Other', 'none'] },
      { line: 'stored', until: '2026-01-02T00:00:00.000Z' },
      { since: '2026-01-02T00:00:00.000Z', until: '2026-01-04T00:00:00Z' },
      { kind: 'grade' },
      { sourceRunId: 'none' },
      { search: 'OTHER' },
      { search: first.slice(0, 12) },
      { set: 'none' },
    ] as const) {
      expect([filter, await idsOf(withStore, filter)]).toEqual([
        filter,
        await idsOf(withoutListings, filter),
      ]);
    }
    await expect(idsOf(withStore, { set: 'unknown' })).rejects.toMatchObject({ code: 'unknown-set' });
    expect(await idsOf(withStore, { isArchived: false })).toEqual([last, second, first]);
    expect(await idsOf(withStore, { isArchived: true })).toEqual([third]);
    expect(await idsOf(withStore, { tag: ['x', 'y'] })).toEqual([second]);
    expect(await idsOf(withStore, { line: 'main', search: 'night' })).toEqual([second]);
    expect(await store.listings.unfinished()).toEqual([last]);
    await going.release();
    expect(await idsOf(withStore, { state: ['interrupted'] })).toEqual([last]);
  });

  test('take the same few statements, however many they are', async () => {
    for (let day = 1; day <= 12; day += 1) await keep(Date.UTC(2026, 0, day), [ended(rowOf('a'))]);
    const { counted, since, reset } = counting(database());
    const store = storeOn(counted);
    const runs = runSummaries(store.runs, store.listings);
    const list = async () => {
      const found = await runs.page({}, { limit: 10, order: 'newest-first' });
      const readable = found.flatMap((run) => ('error' in run ? [] : run));
      await runs.prepare(readable);
      return await Promise.all(readable.map((run) => runs.counted(run)));
    };
    const first = await list();
    reset();
    const second = await list();
    expect([second, since()]).toEqual([first, 1]);
    // Another process finds what this one has counted.
    const other = storeOn(counted);
    const others = runSummaries(other.runs, other.listings);
    reset();
    const found = await others.page({}, { limit: 10, order: 'newest-first' });
    const readable = found.flatMap((run) => ('error' in run ? [] : run));
    await others.prepare(readable);
    expect(await Promise.all(readable.map((run) => others.counted(run)))).toEqual(first);
    expect(since()).toBe(2);
    reset();
    expect((await runs.versions(200, [])).size).toBe(12);
    expect(since()).toBe(1);
  });

  test('keep their version while their lease is renewed and people name them', async () => {
    const run = await begin(Date.UTC(2026, 0, 1));
    const { id } = run.manifest;
    const store = storeOn(database());
    const before = await store.runs.open(id).version();
    await database().query(`update run set lease_until = lease_until + interval '1 second' where id = $1`, [
      id,
    ]);
    await store.listings.change(id, { name: 'x' });
    expect(await store.runs.open(id).version()).toBe(before);
    await run.release();
  });

  test('are counted while they go on as if they were read anew each time', async () => {
    const run = await begin(Date.UTC(2026, 0, 1));
    const { id } = run.manifest;
    const { counted, since, reset } = counting(database());
    const store = storeOn(counted);
    const runs = runSummaries(store.runs, store.listings);
    const log = run.openLog(0);
    const expectCounted = async () => {
      const version = await store.runs.open(id).version();
      const found = await runs.counted({ id, version });
      expect(found).toEqual(await countRun(storeOn(database()).runs.open(id)));
    };
    const digests = { suites: {}, targets: {} };
    const plan = { trials: 4, trialsByTarget: { t: 4 }, seed: 1 };
    await log.append([{ ...note(''), fact: { type: 'run-start', formatVersion: 1, plan, digests } }]);
    await expectCounted();
    const errored = rowOf('a', {
      number: 1,
      verdict: 'errored',
      status: 'errored',
      passed: false,
      score: null,
    });
    await log.append([ended(errored), ended(rowOf('b', { number: 2 }))]);
    await expectCounted();
    await log.append([of('c', { type: 'trial-start', number: 3 }), ended(rowOf('c', { number: 3 }))]);
    reset();
    await expectCounted();
    expect(since()).toBeLessThan(10);
    // It ends again, and then its end is dropped.
    await log.append([ended(rowOf('a', { number: 1 }))]);
    await expectCounted();
    const resume = { type: 'run-resume', remaining: 2, dropped: ['s/b/t/r1'] } as const;
    await log.append([{ ...note(''), fact: resume }]);
    await expectCounted();
    log.close();
    await run.release();
  });

  test('are counted while they go on without reading all digests each time', async () => {
    const run = await begin(Date.UTC(2026, 0, 1));
    await run.save({ ...run.manifest, digests: ['x', 'y'] });
    const { id } = run.manifest;
    let reads = 0;
    const store = storeOn({
      ...database(),
      query: (sql, parameters) => {
        reads += sql.includes('digests') ? 1 : 0;
        return database().query(sql, parameters);
      },
    });
    const runs = runSummaries(store.runs, store.listings);
    const judged = async () => {
      const version = await store.runs.open(id).version();
      return (await runs.counted({ id, version })).judged.first.flatMap(({ digests }) =>
        digests.map(({ digest }) => digest),
      );
    };
    const log = run.openLog(0);
    const end = (number: number, grades: readonly Grade[]) =>
      log.append([ended(rowOf(`case-${number}`, { number, grades }))]);
    await end(1, [{ ...GRADE, digest: 0 }]);
    expect([await judged(), reads]).toEqual([[], 0]);
    await end(2, [{ ...GRADE, digest: 1, model: 'm/m' }]);
    expect([await judged(), reads]).toEqual([['y'], 1]);
    await end(3, [{ ...GRADE, digest: 0, model: 'm/m' }]);
    expect([await judged(), reads]).toEqual([['y', 'x'], 1]);
    log.close();
    await run.release();
  });
});

const GRADE: Grade = {
  name: 'polite',
  type: 'llm-judge',
  score: 1,
  passed: true,
  weight: 1,
  reason: '',
  durationMs: 1,
};
