import { expect, test } from 'vitest';

import { onPostgres } from '../../../../test/support/databases.ts';
import { folderOfTests } from '../../../../test/support/test-folders.ts';
import { redactor } from '../../../../test/support/written-runs.ts';
import type { HandedTrials } from '../../../core/handed-trials.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { AT, manifestOf } from '../../run-directory/fixtures/runs.ts';
import { databaseRuns } from '../runs/store.ts';
import { databaseQueue } from './store.ts';

const folder = folderOfTests('assay-refusals-');

onPostgres('the reason why a worker refuses a run', (database) => {
  test('is written later if the database failed, and the worker takes no trials meanwhile', async () => {
    const room = { database: database(), folder, fold: TALLY_FOLD };
    const run = await databaseRuns(room).create({
      startedAt: Date.parse(AT),
      redactor,
      manifest: (id) => manifestOf({ id, state: 'running' }),
    });
    await using handed = (await run.handOut?.()) as HandedTrials;
    await database().query("update run set state = 'running'");
    await handed.offer([{ number: 1, key: 's/case/t/r1', document: {} }]);
    const identity = { name: 'one', host: 'here', pid: 1, version: '1', slots: 4 };
    await using desk = await databaseQueue(room, database().login ?? '').join(identity);
    const { id } = run.manifest;
    expect(await desk.runs()).toEqual([{ id, share: 1 }]);

    await database().script('alter table worker_refusal rename to lost');
    await expect(desk.refuse(id, 'another version')).rejects.toThrow('worker_refusal');
    await expect(desk.runs()).rejects.toThrow('worker_refusal');
    await database().script('alter table lost rename to worker_refusal');

    expect(await desk.runs()).toEqual([]);
    expect(await handed.refusals()).toEqual([{ worker: 'one', reason: 'another version' }]);
    await run.release();
  });
});
