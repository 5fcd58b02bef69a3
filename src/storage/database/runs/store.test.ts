import { expect, test } from 'vitest';

import { runClaimsContract } from '../../../../test/contracts/run-claims.ts';
import { runStoreContract } from '../../../../test/contracts/run-store.ts';
import { onBothDatabases } from '../../../../test/support/databases.ts';
import { storeInFolder } from '../../../../test/support/store-in-folder.ts';
import { codeOf, countsOf } from '../../../../test/support/written-runs.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { emptyTally } from '../../../reading/tally.ts';
import { databaseRuns } from './store.ts';

onBothDatabases('runs in a database', (database) => {
  const kind = {
    open: (folder: string) => databaseRuns({ database: database(), folder, fold: TALLY_FOLD }),
    isDurable: true,
  };
  runStoreContract('a run store', kind);
  runClaimsContract('a run store', kind);

  const { begin } = storeInFolder(kind);

  test('freeze the same copies in another order at the same time', async () => {
    const copies = Array.from({ length: 100 }, (_, index) => ({
      digest: `d${index}`,
      kind: 'case' as const,
      body: { index, text: 'y'.repeat(2000) },
    }));
    for (let round = 0; round < 10; round += 1) {
      const own = copies.map((copy) => ({ ...copy, digest: `${round}/${copy.digest}` }));
      const [first, second] = [await begin(), await begin()];
      const codes = [first.keepFrozen(own), second.keepFrozen(own.toReversed())].map((kept) =>
        codeOf(Promise.resolve(kept)),
      );
      expect(await Promise.all(codes)).toEqual([undefined, undefined]);
      await Promise.all([first.release(), second.release()]);
    }
  });

  test('can be claimed by one of the processes that see their end, and only by one', async () => {
    const store = kind.open('/');
    const run = await begin();
    await run.save({ ...run.manifest, state: 'completed' });
    expect(await codeOf(store.claim(run.stored))).toBe('run-in-use');
    await run.finish(
      { ...run.manifest, state: 'completed' },
      { byStatus: countsOf([]), costUsd: emptyTally.costUsd },
    );
    expect(await run.stored.state()).toBe('completed');
    const claimed = await store.claim(run.stored);
    await run.release();
    expect(await codeOf(store.claim(run.stored))).toBe('run-in-use');
    await claimed.release();
  });

  test('cannot be claimed where they do not exist, and name who has claimed them', async () => {
    const store = kind.open('/');
    expect(await codeOf(store.claim(store.open('gone')))).toBe('run-not-found');
    const run = await begin();
    await expect(store.claim(run.stored)).rejects.toThrow(`the run is in use by process ${process.pid} on `);
    await run.release();
  });
});
