import { expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { keptAccount } from '../../../../test/support/kept-account.ts';
import { complete, redactor } from '../../../../test/support/written-runs.ts';
import type { Baseline } from '../../../core/baseline-store.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { ended, manifestOf, rowOf } from '../../run-directory/fixtures/runs.ts';
import { databaseRuns } from '../runs/store.ts';
import { databaseBaselines } from './store.ts';

onBothDatabases('baselines', (database) => {
  const baselines = () => databaseBaselines(database());
  let days = 0;
  const begin = () =>
    databaseRuns({ database: database(), folder: '/none', fold: TALLY_FOLD }).create({
      startedAt: Date.UTC(2026, 0, (days += 1)),
      redactor,
      manifest: (id) =>
        manifestOf({ id, state: 'running', targets: [{ name: 't', type: 'mock', config: {}, digest: 0 }] }),
    });
  const completed = async () => (await complete(await begin(), [ended(rowOf('a'))])).manifest.id;
  const set = async (runId: string, line = 'main', accountId?: string): Promise<Baseline> => {
    const outcome = await baselines().set({ target: 't', line, runId, accountId });
    if (outcome.outcome !== 'set') throw new Error(outcome.outcome);
    return outcome.baseline;
  };

  test('belong to a target and a line, and tell who set them', async () => {
    const [run, ann] = [await completed(), await keptAccount(database(), 'ann@example.com')];
    const [main, other] = [await set(run, 'main', ann), await set(run, 'other')];
    expect(main).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      target: 't',
      line: 'main',
      runId: run,
      setBy: 'ann@example.com',
      setAt: expect.stringMatching(/^\d{4}-.*Z$/),
      clearedAt: null,
    });
    expect(await baselines().holding({})).toEqual([main, other]);
    expect(await baselines().holding({ target: 't', line: 'other' })).toEqual([other]);
    expect(await baselines().holding({ runId: 'another' })).toEqual([]);
  });

  test('take the place of the former one, which is kept', async () => {
    const former = await set(await completed());
    const held = await set(await completed());
    expect(await baselines().holding({})).toEqual([held]);
    const all = await database().query(
      'select id, cleared_at is null as holds from baseline order by set_at',
    );
    expect(all).toEqual([
      { id: former.id, holds: false },
      { id: held.id, holds: true },
    ]);
  });

  test('that are set at once leave one', async () => {
    const runs = [await completed(), await completed(), await completed(), await completed()];
    await Promise.all(runs.map((run) => set(run)));
    expect(await baselines().holding({})).toHaveLength(1);
    expect(await database().query('select id from baseline')).toHaveLength(4);
  });

  test('are cleared once, and stay known', async () => {
    const { id } = await set(await completed());
    const cleared = await baselines().clear(id);
    expect(cleared).toMatchObject({ id, clearedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(await baselines().clear(id)).toEqual(cleared);
    expect(await baselines().holding({})).toEqual([]);
    expect(await baselines().clear('00000000-0000-4000-8000-000000000000')).toBeUndefined();
    expect(await baselines().clear('nonsense')).toBeUndefined();
  });

  test('need a completed run that has the target', async () => {
    const running = (await begin()).manifest.id;
    const ask = (target: string, runId: string) => baselines().set({ target, line: 'main', runId });
    expect(await ask('t', running)).toEqual({ outcome: 'not-completed', state: 'running' });
    expect(await ask('u', running)).toEqual({ outcome: 'unknown-target', targets: ['t'] });
    expect(await ask('t', 'gone')).toEqual({ outcome: 'unknown-run' });
    expect(await database().query('select id from baseline')).toEqual([]);
  });
});
