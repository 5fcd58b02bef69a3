import { once } from 'node:events';

import { expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { storeInFolder } from '../../../../test/support/store-in-folder.ts';
import { redactor } from '../../../../test/support/written-runs.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { manifestOf } from '../../run-directory/fixtures/runs.ts';
import { databaseCancels } from './cancels.ts';
import { databaseRuns } from './store.ts';

onBothDatabases('runs that somebody cancels', (database) => {
  const { begin, store } = storeInFolder({
    open: (folder) => databaseRuns({ database: database(), folder, fold: TALLY_FOLD }),
    isDurable: true,
  });
  const cancels = () => databaseCancels(database());

  test('tell the process that executes them', async () => {
    const run = await begin();
    const told = once(run.cancelAsked ?? new AbortController().signal, 'abort');
    expect(await cancels().isAsked(run.manifest.id)).toBe(false);
    expect(await cancels().ask(run.manifest.id)).toBe('asked');
    await told;
    expect(await cancels().ask(run.manifest.id)).toBe('asked');
    expect(await cancels().isAsked(run.manifest.id)).toBe(true);
    await run.release();
  });

  test('have ended, or wait, where no process has them', async () => {
    const run = await begin();
    await run.release();
    const queued = await store().create({
      startedAt: 1,
      redactor,
      listed: { origin: 'server', state: 'queued' },
      manifest: (id) => manifestOf({ id, state: 'running' }),
    });
    await queued.release();
    const asked = [run, queued].map(({ manifest }) => cancels().ask(manifest.id));
    expect(await Promise.all([...asked, cancels().ask('unknown')])).toEqual(['ended', 'waiting', 'ended']);
    expect(await cancels().isAsked(queued.manifest.id)).toBe(false);
  });

  test('are not cancelled any more when a process claims them again', async () => {
    const run = await begin();
    await cancels().ask(run.manifest.id);
    await run.release();
    const claimed = await store().claim(run.stored);
    const again = await claimed.open(run.manifest, redactor);
    expect([await cancels().isAsked(run.manifest.id), again.cancelAsked?.aborted]).toEqual([false, false]);
    await claimed.release();
  });
});
