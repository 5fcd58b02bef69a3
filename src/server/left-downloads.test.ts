import { expect, test } from 'vitest';

import { exportHandlers } from './exports.ts';
import { runSummaries } from '../app/view/run-summaries.ts';
import type { RunStore, StoredRun } from '../core/run-store.ts';
import { sha256 } from '../lib/digest.ts';
import { memoryRuns } from '../storage/memory/store.ts';
import { ended, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { failed, viewedRuns } from '../../test/support/viewed-runs.ts';
import { LONG } from '../../test/support/written-runs.ts';

let open = 0;

/** Repeats the items so often that a reader must ask for them in several parts. */
async function* counted<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  open += 1;
  try {
    const all: Item[] = [];
    for await (const item of items) all.push(item);
    for (let round = 0; round < 5000; round += 1) yield* all;
  } finally {
    open -= 1;
  }
}

/** Runs that count the rows and texts that are being read. */
function countedRuns(folder: string): RunStore {
  const store = memoryRuns(folder);
  const openRun = (id: string): StoredRun => {
    const run = store.open(id);
    return {
      ...run,
      rows: () => counted(run.rows()),
      async attachment(digest) {
        const found = await run.attachment(digest);
        return found && { ...found, content: () => counted(found.content()) };
      },
    };
  };
  return { ...store, open: openRun };
}

const { keep, ask, runs } = viewedRuns(countedRuns);

test.each(['attachments', 'jsonl', 'csv'])('HEAD of %s closes what it opened', async (what) => {
  const id = await keep(1000, [ended(rowOf('a', { output: LONG })), failed('b')]);
  const path =
    what === 'attachments' ? `/attachments/${sha256(LONG)}?run=${id}` : `/runs/${id}/export?format=${what}`;
  const answer = await ask(path, { method: 'HEAD' });
  expect([answer.status, await answer.text(), open]).toEqual([200, '', 0]);
});

test('HEAD of a feed ends it', async () => {
  const id = await keep(1000, [failed('b')]);
  const answer = await ask(`/feed?run=${id}`, { method: 'HEAD' });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
});

test.each(['jsonl', 'csv'] as const)('a cancelled export as %s closes its rows', async (format) => {
  const id = await keep(1000, [ended(rowOf('a')), failed('b')]);
  const { exportRun } = exportHandlers(runSummaries(runs()));
  const call = { path: { run: id }, query: { format } } as Parameters<typeof exportRun>[0];
  const answer = (await exportRun(call)) as Response;
  expect(open).toBe(1);
  await answer.body?.cancel();
  expect(open).toBe(0);
});
