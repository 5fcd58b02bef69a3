import { expect, test } from 'vitest';

import { redactor } from '../../test/support/written-runs.ts';
import { runSummaries, type RunSummaries } from '../app/view/run-summaries.ts';
import { AssayError } from '../core/errors.ts';
import type { RunStore } from '../core/run-store.ts';
import { manifestOf } from '../storage/run-directory/fixtures/runs.ts';
import { memoryRuns } from '../storage/memory/store.ts';
import { runChanges } from './run-changes.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

const gone = new AssayError('database-unreachable', 'cannot connect to postgres://db/shop', {
  stage: 'plan',
});

test('a run is not called unreadable while the database does not answer', async () => {
  const folder = folderOfTest('assay-watch-');
  const kept = memoryRuns(folder);
  let isGone = false;
  const runs: RunStore = {
    ...kept,
    open: (id) => ({
      ...kept.open(id),
      version: async () => {
        if (isGone) throw gone;
        return kept.open(id).version();
      },
    }),
  };
  const run = await kept.create({
    startedAt: 1000,
    redactor,
    manifest: (id) => manifestOf({ id, state: 'running' }),
  });
  const { id } = run.manifest;
  const summaries = runSummaries(runs);
  const changes = runChanges(summaries);
  const told = { id, state: 'running' };
  expect(await changes.of(id, 'running 1')).toMatchObject(told);
  isGone = true;
  await expect(summaries.of(id)).rejects.toBe(gone);
  await expect(summaries.versions(1, [])).rejects.toBe(gone);
  await expect(changes.of(id, 'running 2')).rejects.toBe(gone);
  isGone = false;
  expect(await changes.of(id, 'running 2')).toMatchObject(told);
  await run.release();
});

test('a message that could not be made does not drop the next one, which is made once', async () => {
  const unreadable = (id: string) => ({ id, error: { code: 'run-unreadable', message: '' } });
  const asks = [() => Promise.reject(gone)];
  const of = async (id: string) => await (asks.shift() ?? (async () => unreadable(id)))();
  const changes = runChanges({ of } as Partial<RunSummaries> as RunSummaries);
  const [failed, next] = [changes.of('a', 'running 1'), changes.of('a', 'running 2')];
  await expect(failed).rejects.toBe(gone);
  await next;
  expect(changes.of('a', 'running 2')).toBe(next);
});
