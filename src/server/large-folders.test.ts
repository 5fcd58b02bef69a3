import { truncateSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { runDirectories } from '../storage/run-directory/store.ts';
import { ended, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import type { RunStore } from '../core/run-store.ts';
import { messagesOf, viewedRuns } from '../../test/support/viewed-runs.ts';

const COUNT = 10_000;

/** Of runs that do not begin with it, no file is there. */
const REAL = '2026';

const opened = new Set<string>();

/** Run directories among many others that are listed. */
function amongMany(folder: string): RunStore {
  const store = runDirectories(folder, folder);
  const others = Array.from({ length: COUNT }, (_, at) => {
    const time = new Date(Date.parse('2025-01-01T00:00:00Z') + at * 60_000).toISOString();
    return `${time.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${at.toString(16).padStart(6, '0')}`;
  });
  return {
    ...store,
    list: async () => [...others, ...(await store.list())],
    open(id) {
      if (!id.startsWith(REAL)) opened.add(id);
      return store.open(id);
    },
  };
}

const { begin, ask, asked } = viewedRuns(amongMany);

const IN_2026 = Date.parse('2026-01-01T00:00:00Z');

test('of 10,000 runs, only those of a page are read, and the feed watches the newest', async () => {
  const run = await begin(IN_2026, 1);
  const { id } = run.manifest;
  expect((await asked('/runs?limit=1')).data.map((each) => each['id'])).toEqual([id]);
  const page = await asked('/runs?limit=50');
  expect(page.data.map((each) => each['state'])).toEqual([
    'running',
    ...Array<string>(49).fill('unreadable'),
  ]);
  const next = await asked(`/runs?limit=50&cursor=${page.next_cursor}`);
  expect(new Set([...page.data, ...next.data].map((each) => each['id'])).size).toBe(100);
  expect(opened.size).toBeLessThan(110);
  const feed = messagesOf(await ask('/feed'));
  expect(await feed.next()).toMatchObject({ event: 'run', data: { id, state: 'running' } });
  await feed.end();
  expect(opened.size).toBeLessThan(210);
  run.release();
});

const GIGABYTE = 2 ** 30;

test('an artifact of 1 GB is sent in pieces, and only as much of it is read as somebody takes', async () => {
  const run = await begin(IN_2026, 1);
  const artifacts = run.artifacts(rowOf('a'), 1, () => undefined);
  await artifacts.write('core.bin', 'x');
  truncateSync(join(artifacts.directory(), 'core.bin'), GIGABYTE);
  const log = run.openLog(0);
  await log.append([ended(rowOf('a'))]);
  log.close();
  run.save({ ...run.manifest, state: 'completed' });
  run.release();
  const place = `/runs/${run.manifest.id}/trials/1`;
  expect((await asked(place))['artifacts']).toEqual([{ attempt: 1, name: 'core.bin', bytes: GIGABYTE }]);
  const before = process.memoryUsage().arrayBuffers;
  const file = await ask(`${place}/attempts/1/artifacts/core.bin`);
  expect(file.headers.get('content-length')).toBe(String(GIGABYTE));
  const reader = (file.body as ReadableStream<Uint8Array>).getReader();
  let bytes = 0;
  while (bytes < GIGABYTE / 32) bytes += (await reader.read()).value?.length ?? GIGABYTE;
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(GIGABYTE / 4);
  await reader.cancel();
  expect((await ask(place)).status).toBe(200);
});
