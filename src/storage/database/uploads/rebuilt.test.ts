import { join } from 'node:path';

import { expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { complete, FACTS, redactor, unmeasured, write } from '../../../../test/support/written-runs.ts';
import { uploadRun } from '../../../app/upload-run.ts';
import type { Manifest } from '../../../core/manifest.ts';
import type { Emitted, Row } from '../../../core/run.ts';
import type { OpenRun, RunStore } from '../../../core/run-store.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { ended, manifestOf, of, rowOf } from '../../run-directory/fixtures/runs.ts';
import { runDirectories } from '../../run-directory/store.ts';
import { rebuildRuns } from '../runs/rebuild.ts';
import { databaseRuns } from '../runs/store.ts';
import { databaseUploads } from './store.ts';
import { folderOfTests } from '../../../../test/support/test-folders.ts';

const folder = folderOfTests('assay-rebuilt-');

const cancelled = (caseId: string, overrides: Partial<Row> = {}): Row =>
  rowOf(caseId, { verdict: 'cancelled', status: 'cancelled', passed: false, score: null, ...overrides });

const GRADES = ['polite', 'short'].map((name, digest) => ({
  name,
  type: 'contains',
  score: 1,
  passed: true,
  weight: 1,
  reason: '',
  durationMs: 1,
  digest,
}));

const started = (caseId: string, number: number): Emitted => of(caseId, { type: 'trial-start', number });

onBothDatabases('rebuilding', (database) => {
  const room = () => ({ database: database(), folder: join(folder, 'store'), fold: TALLY_FOLD });
  let days = 0;
  const begin = (store: RunStore, overrides: Partial<Manifest> = {}): Promise<OpenRun> =>
    store.create({
      startedAt: Date.UTC(2026, 0, (days += 1)),
      redactor,
      manifest: (id) => manifestOf({ id, state: 'running', digests: ['x', 'y'], ...overrides }),
    });
  const tables = async () =>
    Promise.all(
      ['trial order by run_id, number', 'grade order by run_id, trial_number, ordinal', 'artifact'].map(
        (table) => database().query(`select * from ${table}`),
      ),
    );
  const totals = () => database().query('select id, tally, spent_usd, reserved_usd from run order by id');

  test('gives equal rows of errored, cancelled, graded and uploaded runs', async () => {
    const store = databaseRuns(room());
    const source = await begin(store);
    await complete(source, [
      started('a', 1),
      started('b', 2),
      ended(unmeasured('a')),
      ended(cancelled('b', { number: 2 })),
      started('b', 2),
      ended(rowOf('b', { number: 2, grades: GRADES, attempts: [{ durationMs: 1 }, { durationMs: 2 }] })),
      ended(cancelled('c', { number: 3 })),
      started('d', 4),
    ]);
    const graded = await begin(store, { kind: 'grade', sourceRunId: source.manifest.id });
    await complete(graded, [ended(rowOf('b', { number: 2, grades: GRADES.slice(1) }))]);
    const directories = runDirectories(join(folder, 'runs'), folder);
    const uploaded = await begin(directories);
    const files = uploaded.artifacts(rowOf('a'), 1, () => undefined);
    await files.write('out.txt', 'hello');
    await files.close();
    await write(uploaded, [...FACTS, ended(unmeasured('d'))]);
    await uploaded.save({ ...uploaded.manifest, state: 'interrupted' });
    await uploaded.release();
    await uploadRun(directories.open(uploaded.manifest.id), databaseUploads(room()), {});

    const before = [...(await tables()), await totals()];
    expect(before.map((rows) => rows.length)).toEqual([9, 3, 1, 3]);
    await database().script(`update trial set verdict = 'passed', status = 'passed' where verdict = 'errored';
      delete from grade; update run set tally = null`);
    expect(await rebuildRuns(database(), TALLY_FOLD)).toEqual({ runs: 3, skipped: [] });
    expect([...(await tables()), await totals()]).toEqual(before);
  });
});
