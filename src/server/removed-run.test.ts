import { expect, test } from 'vitest';

import { AssayError } from '../core/errors.ts';
import type { RunStore } from '../core/run-store.ts';
import { memoryRuns } from '../storage/memory/store.ts';
import { failed, messagesOf, viewedRuns } from '../../test/support/viewed-runs.ts';

const removed = new Set<string>();

/** Runs of which some are gone although the list still contains them, as between two requests to a database. */
function partlyRemoved(folder: string): RunStore {
  const store = memoryRuns(folder);
  const refused = (id: string) => new AssayError('run-not-found', `unknown run "${id}"`, { stage: 'plan' });
  return {
    ...store,
    open(id) {
      const run = store.open(id);
      if (!removed.has(id)) return run;
      return { ...run, version: () => Promise.reject(refused(id)), head: () => Promise.reject(refused(id)) };
    },
  };
}

const { begin, keep, ask, asked } = viewedRuns(partlyRemoved);

test('a run that was removed after it was listed breaks neither the list nor the feed of the others', async () => {
  const id = await keep(1000, [failed('b')]);
  const going = await begin(1500, 1);
  removed.add(await keep(2_000_000, [failed('b')]));
  const { data } = await asked('/runs');
  expect(data.map((run) => [run['id'], run['state']])).toEqual([
    [[...removed][0], 'unreadable'],
    [going.manifest.id, 'running'],
    [id, 'completed'],
  ]);
  const messages = messagesOf(await ask('/feed'));
  expect(await messages.next()).toMatchObject({ event: 'run', data: { id: going.manifest.id } });
  await messages.end();
  going.release();
});
