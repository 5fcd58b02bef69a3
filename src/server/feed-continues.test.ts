import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { logIndexes } from '../storage/run-directory/log-index.ts';
import { runDirectories } from '../storage/run-directory/store.ts';
import { ended, note, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { failed, viewedRuns } from '../../test/support/viewed-runs.ts';

const { begin, ask, asked, restart } = viewedRuns((folder) =>
  runDirectories(folder, folder, { indexes: logIndexes() }),
);

const notes = (count: number) => Array.from({ length: count }, (_, at) => note(`note ${at}`));
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

function feedOf(id: string, headers: Readonly<Record<string, string>> = {}, query = '') {
  return ask(`/runs/${id}/events${query}`, { headers: { accept: 'text/event-stream', ...headers } });
}

/** The ids that a feed tells; `most`: it is cut after so many. */
async function idsOf(answer: Response, most = Infinity): Promise<readonly number[]> {
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    if (ids.length >= most) {
      await reader.cancel();
      return ids.slice(0, most);
    }
    const { value, done } = await reader.read();
    if (done) return ids;
    text += value;
  }
}

test('a feed that was cut after event 7 continues with 8, without duplicates, also after a restart of the server', async () => {
  const run = await begin(1000, 2);
  const log = run.openLog(0);
  const { id } = run.manifest;
  await log.append(notes(12));
  expect(await idsOf(await feedOf(id), 7)).toEqual(from(1, 7));
  expect(await idsOf(await feedOf(id, { 'last-event-id': '7' }), 5)).toEqual(from(8, 12));
  await restart();
  const answer = await feedOf(id, { 'last-event-id': '7' });
  const rest = idsOf(answer);
  for (let times = 0; times < 10; times += 1) await log.append(notes(5));
  await log.append([
    ended(rowOf('a')),
    failed('b'),
    { ...note(''), fact: { type: 'run-end', state: 'completed' } },
  ]);
  log.close();
  run.save({ ...run.manifest, state: 'completed' });
  run.release();
  expect(await rest).toEqual(from(8, 65));
  expect(await idsOf(await feedOf(id, {}, '?after=60'))).toEqual(from(61, 65));
  expect((await asked(`/runs/${id}/events?after=7&limit=200`)).data.map(({ sequence }) => sequence)).toEqual(
    from(8, 65),
  );
});

/** Writes so many events behind the first into a log, a line in two parts where it can be torn. */
const WRITER = `
  const { appendFileSync } = require('node:fs');
  const [, path, count] = process.argv;
  for (let sequence = 2; sequence < 2 + Number(count); sequence += 1) {
    const fact = { type: 'note', text: 'x'.repeat(sequence) };
    const line = JSON.stringify({ sequence, at: '2026-01-01T00:00:00.000Z', fact }) + '\\n';
    const half = sequence % 3 === 0 ? line.length >> 1 : line.length;
    appendFileSync(path, line.slice(0, half));
    appendFileSync(path, line.slice(half));
  }
`;

test('1,000 events that another process writes arrive, in order and each once', async () => {
  const run = await begin(1000, 2);
  const log = run.openLog(0);
  const { id } = run.manifest;
  await log.append(notes(1));
  log.close();
  const ids = idsOf(await feedOf(id));
  const writer = spawn(process.execPath, ['-e', WRITER, join(run.stored.place, 'events.jsonl'), '1000']);
  expect(await once(writer, 'exit')).toEqual([0, null]);
  run.save({ ...run.manifest, state: 'completed' });
  run.release();
  expect(await ids).toEqual(from(1, 1001));
});
