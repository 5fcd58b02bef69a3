import { expect, test } from 'vitest';

import type { RunEvent } from '../../core/run.ts';
import type { StoredRun } from '../../core/run-store.ts';
import { followFeed } from './feed.ts';
import type { ServerApi } from './server-api.ts';

const line = (sequence: number) => `data: ${JSON.stringify({ sequence })}`;

test('a run that a restarted server continues later is followed to its end', async () => {
  const feeds = [[line(1)], [], [line(2)]];
  const states = ['interrupted', 'interrupted', 'completed'];
  const lines = async function* () {
    yield* feeds.shift() ?? [];
  };
  const run = { name: 'r', state: () => Promise.resolve(states.shift()) } as unknown as StoredRun;
  const api = { url: 'http://127.0.0.1', lines } as unknown as ServerApi;
  const found: RunEvent[] = [];
  const { signal } = new AbortController();
  for await (const event of followFeed({ run, after: 0, signal }, api)) found.push(event);
  expect(found.map(({ sequence }) => sequence)).toEqual([1, 2]);
  expect(states).toEqual([]);
});
