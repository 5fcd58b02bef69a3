import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { folderOfTests } from '../../../../test/support/test-folders.ts';
import { onBothDatabases } from '../../../../test/support/databases.ts';
import { redactor } from '../../../../test/support/written-runs.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { manifestOf } from '../../run-directory/fixtures/runs.ts';
import type { Database } from '../database.ts';
import { keepArtifacts, keptArtifacts } from './artifacts.ts';
import { placeIn } from './run-room.ts';
import { databaseRuns } from './store.ts';

const folder = folderOfTests('assay-artifacts-');

/** A database where something happens before each transaction. */
function disturbed(database: Database, before: (count: number) => void): Database {
  let count = 0;
  return {
    ...database,
    transaction: (work) => {
      before((count += 1));
      return database.transaction(work);
    },
  };
}

onBothDatabases('artifacts in a database', (database) => {
  test('files that vanish or change during copying are reported, and the others are kept', async () => {
    const room = { database: database(), folder, fold: TALLY_FOLD };
    const run = await databaseRuns(room).create({
      startedAt: Date.UTC(2026, 0, 1),
      redactor,
      manifest: (id) => manifestOf({ id, state: 'running' }),
    });
    const left = join(folder, 'left');
    mkdirSync(left, { recursive: true });
    for (const name of ['a-gone', 'b-grown', 'c-kept']) writeFileSync(join(left, name), name);
    // The first transaction finds the trial; then each file has its own transaction.
    const disturbing = disturbed(room.database, (count) => {
      if (count === 2) rmSync(join(left, 'a-gone'));
      if (count === 3) writeFileSync(join(left, 'b-grown'), 'B-GROWN');
    });
    const trial = { suite: 's', caseId: 'a', target: 'bot', repetition: 1, number: 1, attempt: 1 };
    const [held] = await room.database.query<{ lease: string }>('select lease_id::text as lease from run');
    const place = placeIn({ ...room, database: disturbing }, run.manifest.id);
    const notes = await keepArtifacts(place, trial, { folder: left, lease: held?.lease ?? '' });
    expect(notes).toEqual(
      ['a-gone', 'b-grown'].map(
        (name) => `the artifact "${name}" was not kept in the database: it changed, or cannot be read`,
      ),
    );
    expect(await keptArtifacts(place, trial)).toEqual([{ attempt: 1, name: 'c-kept', bytes: 6 }]);
    await run.release();
  });
});
