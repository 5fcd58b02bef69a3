import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { folderOfTests } from '../../../../test/support/test-folders.ts';
import { onBothDatabases } from '../../../../test/support/databases.ts';
import { keptAccount } from '../../../../test/support/kept-account.ts';
import { complete, LONG, redactor } from '../../../../test/support/written-runs.ts';
import type { Manifest } from '../../../core/manifest.ts';
import type { OpenRun } from '../../../core/run-store.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { all, attemptOf, ended, manifestOf, of, rowOf } from '../../run-directory/fixtures/runs.ts';
import { databaseBaselines } from '../baselines/store.ts';
import type { Database, Queries } from '../database.ts';
import { databaseReviews } from '../reviews/store.ts';
import { pruneRuns } from './prune.ts';
import { databaseRuns } from './store.ts';

const folder = folderOfTests('assay-prune-');

const TABLES = [
  'run',
  'trial',
  'run_event',
  'run_frozen',
  'frozen',
  'attachment',
  'attachment_chunk',
  'artifact',
];

onBothDatabases('pruning', (database) => {
  const runs = () => databaseRuns({ database: database(), folder, fold: TALLY_FOLD });
  let days = 0;
  const begin = () =>
    runs().create({
      startedAt: Date.UTC(2026, 0, (days += 1)),
      redactor,
      manifest: (id) =>
        manifestOf({ id, state: 'running', targets: [{ name: 't', type: 'mock', config: {}, digest: 0 }] }),
    });
  /** A run with a large text, a file and a frozen copy: one of each is its own, one is of all runs. */
  const written = async (own: string): Promise<string> => {
    const run = await begin();
    await run.keepFrozen([
      { digest: 'shared', kind: 'case', body: 'shared' },
      { digest: own, kind: 'case', body: own },
    ]);
    await leaveFiles(run, { 'shared.txt': 'shared', 'own.txt': own });
    await complete(run, [
      of('a', { type: 'trial-start', number: 1 }),
      ...attemptOf('a', 1, [LONG, `${own}${LONG}`]),
      ended(rowOf('a')),
    ]);
    return run.manifest.id;
  };
  const leaveFiles = async (run: OpenRun, files: Readonly<Record<string, string>>): Promise<void> => {
    const artifacts = run.artifacts(rowOf('a'), 1, (error) => {
      throw error;
    });
    for (const [name, text] of Object.entries(files)) await artifacts.write(name, text);
    await artifacts.close();
  };
  const archive = (id: string, at: string) =>
    database().query('update run set archived_at = $2::text::timestamptz where id = $1', [id, at]);
  const counts = async () => {
    const found = TABLES.map(async (table) => {
      const [row] = await database().query<{ rows: number }>(`select count(*) as rows from ${table}`);
      return [table, row?.rows ?? 0] as const;
    });
    return Object.fromEntries(await Promise.all(found));
  };

  test('removes runs that were archived before whole, and nothing of others', async () => {
    await written('kept');
    const before = await counts();
    const kept = runs().open((await runs().list())[0] ?? '');
    const [old, recent] = [await written('old'), await written('recent')];
    await archive(old, '2026-01-01T00:00:00Z');
    await archive(recent, '2026-02-01T00:00:00Z');
    const choice = { archivedBefore: '2026-02-01T00:00:00Z' };
    const all3 = await counts();
    const told = await pruneRuns({ database: database(), folder }, { ...choice, isDryRun: true });
    expect(await counts()).toEqual(all3);
    expect(told).toEqual({ runs: [old], kept: [], bytes: expect.any(Number) });
    expect(told.bytes).toBeGreaterThan(LONG.length);
    expect(await pruneRuns({ database: database(), folder }, choice)).toEqual(told);
    expect(await pruneRuns({ database: database(), folder }, choice)).toEqual({
      runs: [],
      kept: [],
      bytes: 0,
    });
    await archive(recent, '2026-01-31T23:59:59.999999Z');
    expect(await pruneRuns({ database: database(), folder }, choice)).toMatchObject({ runs: [recent] });
    expect(await counts()).toEqual(before);
    const [transcript] = (await kept.transcripts(new Set(['s/a/t/r1']))).values();
    expect(transcript?.map(({ type }) => type)).toEqual(['message', 'message']);
    expect(await all(kept.frozen())).toHaveLength(2);
    expect(await kept.artifacts(rowOf('a'))).toHaveLength(2);
  });

  test('never removes a run that is or was a baseline, is reviewed, or is being written', async () => {
    const [first, second, reviewed] = [await written('a'), await written('b'), await written('c')];
    const account = await keptAccount(database(), 'ann@example.com');
    for (const runId of [first, second])
      await databaseBaselines(database()).set({ target: 't', line: 'main', runId });
    await databaseReviews(database()).add({
      runId: reviewed,
      trialNumber: 1,
      accountId: account,
      expectation: null,
      verdict: 'passed',
      note: null,
      seenJudge: false,
    });
    const running = await begin();
    await database().query(`update run set archived_at = '2020-01-01T00:00:00Z'`);
    const before = await counts();
    expect(
      await pruneRuns({ database: database(), folder }, { archivedBefore: '2026-01-01T00:00:00Z' }),
    ).toEqual({
      runs: [],
      kept: [
        { id: first, because: 'baseline' },
        { id: second, because: 'baseline' },
        { id: reviewed, because: 'reviewed' },
      ],
      bytes: 0,
    });
    expect(await counts()).toEqual(before);
    await running.release();
  });

  test('removes the files that attempts left, and tells of a folder that it cannot remove', async () => {
    const [old, kept] = [await written('old'), await written('kept')];
    expect([old, kept].map((id) => existsSync(join(folder, id)))).toEqual([true, true]);
    await archive(old, '2026-01-01T00:00:00Z');
    const choice = { archivedBefore: '2026-02-01T00:00:00Z' };
    await pruneRuns({ database: database(), folder }, { ...choice, isDryRun: true });
    expect(existsSync(join(folder, old))).toBe(true);
    expect(await pruneRuns({ database: database(), folder }, choice)).not.toHaveProperty('leftFolders');
    expect([old, kept].map((id) => existsSync(join(folder, id)))).toEqual([false, true]);
    await archive(kept, '2026-01-01T00:00:00Z');
    const blocked = join(folder, 'file');
    writeFileSync(blocked, '');
    expect(await pruneRuns({ database: database(), folder: blocked }, choice)).toMatchObject({
      runs: [kept],
      leftFolders: [join(blocked, kept)],
    });
  });

  test.each([
    ['before the runs are forgotten', 1],
    ['after it', 0],
  ])('leaves nothing behind if the process is killed %s and it prunes again', async (_, left) => {
    const own = join(folder, `killed-${database().kind}-${left}`);
    mkdirSync(own);
    const old = await written('old');
    renameSync(join(folder, old), join(own, old));
    await archive(old, '2026-01-01T00:00:00Z');
    const { transaction } = database();
    const dying: Database = {
      ...database(),
      transaction: async (work) => {
        const dies = () => Promise.reject(new Error('killed'));
        if (left === 0) return await transaction(work).then(dies);
        return await transaction(async (...given) => await work(...given).then(dies));
      },
    };
    const choice = { archivedBefore: '2026-02-01T00:00:00Z' };
    await expect(pruneRuns({ database: dying, folder: own }, choice)).rejects.toThrow('killed');
    expect((await counts())['run']).toBe(left);
    await pruneRuns({ database: database(), folder: own }, choice);
    expect([await counts(), readdirSync(own)]).toEqual([
      Object.fromEntries(TABLES.map((table) => [table, 0])),
      [],
    ]);
  });

  test('gives the folder of a run that is kept after all its name back', async () => {
    const own = join(folder, `kept-${database().kind}`);
    mkdirSync(own);
    const old = await written('old');
    renameSync(join(folder, old), join(own, old));
    await archive(old, '2026-01-01T00:00:00Z');
    const { transaction } = database();
    const failing: Database = {
      ...database(),
      transaction: (work) =>
        transaction(
          async (...given) => await work(...given).then(() => Promise.reject(new Error('timeout'))),
        ),
    };
    const choice = { archivedBefore: '2026-02-01T00:00:00Z' };
    await expect(pruneRuns({ database: failing, folder: own }, choice)).rejects.toThrow('timeout');
    expect(readdirSync(own)).toEqual([old]);
    // Of a process that was killed.
    renameSync(join(own, old), join(own, `.pruned-${old}`));
    await pruneRuns({ database: database(), folder: own }, { archivedBefore: '2025-01-01T00:00:00Z' });
    expect(readdirSync(own)).toEqual([old]);
  });

  test('reads few pages of large tables while it locks them', async () => {
    await database().script(`set session_replication_role = replica;
      insert into frozen (digest, content, kind, body)
        select md5(i::text), 'c' || i, 'case', '{}' from generate_series(1, 20000) i;
      insert into run_frozen (run_id, digest, content) select 'r', digest, content from frozen where content <> 'c1';
      reset session_replication_role`);
    for (const table of ['frozen', 'run_frozen']) await database().script(`analyze ${table}`);
    const pages: number[] = [];
    const watched: Database = {
      ...database(),
      transaction: (work) =>
        database().transaction(async (queries, last) => {
          const explaining: Queries = {
            ...queries,
            async query(sql, parameters) {
              if (sql.startsWith('delete from frozen ')) {
                const explain = `explain (analyze, buffers, timing off, format json) ${sql}`;
                const [found] = await queries.query<{ plan: string }>(explain, parameters);
                pages.push(pagesIn(Object.values(found ?? {})[0] ?? ''));
              }
              return await queries.query(sql, parameters);
            },
          };
          return await work(explaining, last);
        }),
    };
    await pruneRuns({ database: watched, folder }, { archivedBefore: '2026-01-01T00:00:00Z' });
    expect((await counts())['frozen']).toBe(19_999);
    expect(pages.map((count) => count < 50)).toEqual([true]);
  });

  test('keeps a run that another one grades or is compared with, unless that one goes too', async () => {
    const [source, base, other] = [await written('s'), await written('b'), await written('o')];
    const begun = async (overrides: Partial<Manifest>): Promise<string> => {
      const run = await runs().create({
        startedAt: Date.UTC(2026, 0, (days += 1)),
        redactor,
        manifest: (id) => manifestOf({ id, state: 'running', ...overrides }),
      });
      await complete(run, []);
      return run.manifest.id;
    };
    const grading = await begun({ kind: 'grade', sourceRunId: source });
    const { settings } = manifestOf({});
    const baseline = `${base}#t`;
    const compared = await begun({ settings: { ...settings, options: { ...settings.options, baseline } } });
    for (const id of [source, base, other]) await archive(id, '2026-01-01T00:00:00Z');
    const choice = { archivedBefore: '2026-02-01T00:00:00Z' };
    expect(await pruneRuns({ database: database(), folder }, choice)).toMatchObject({
      runs: [other],
      kept: [
        { id: source, because: 'source' },
        { id: base, because: 'compared' },
      ],
    });
    for (const id of [grading, compared]) await archive(id, '2026-01-01T00:00:00Z');
    expect(await pruneRuns({ database: database(), folder }, choice)).toMatchObject({
      runs: [source, base, grading, compared],
      kept: [],
    });
  });

  test('does not damage a run that stores the same texts at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const old = await written(`${round}`);
      await archive(old, '2026-01-01T00:00:00Z');
      const [, again] = await Promise.all([
        pruneRuns({ database: database(), folder }, { archivedBefore: '2026-02-01T00:00:00Z' }),
        written(`${round}`),
      ]);
      const [transcript] = (
        await runs()
          .open(again)
          .transcripts(new Set(['s/a/t/r1']))
      ).values();
      expect(transcript).toHaveLength(2);
      expect(await runs().open(again).artifacts(rowOf('a'))).toHaveLength(2);
      expect(await all(runs().open(again).frozen())).toHaveLength(2);
    }
  });
});

/** Pages that a statement has read, as its plan in JSON says. */
function pagesIn(plan: string): number {
  const [{ Plan }] = JSON.parse(plan) as [{ readonly Plan: Readonly<Record<string, number>> }];
  return (Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0);
}
