import {
  mkdirSync,
  symlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
  appendFileSync,
  readFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { runDirectories } from '../storage/run-directory/store.ts';
import { ended, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { failed, messagesOf, viewedRuns, type Answer } from '../../test/support/viewed-runs.ts';

const { begin, keep, ask, asked, runs } = viewedRuns((folder) => runDirectories(folder, folder));

const placeOf = (id: string, ...names: readonly string[]) => join(runs().open(id).place, ...names);

async function codeOf(path: string): Promise<readonly [number, unknown]> {
  const answer = await ask(path);
  return [answer.status, ((await answer.json()) as Answer).error?.['code']];
}

test('a run of a newer format is listed with its reason, together with readable runs', async () => {
  const id = await keep(1000, [ended(rowOf('a'))]);
  const newer = await keep(2_000_000, [ended(rowOf('a'))]);
  const manifest = readFileSync(placeOf(newer, 'run.json'), 'utf8');
  writeFileSync(placeOf(newer, 'run.json'), manifest.replace('"formatVersion": 1', '"formatVersion": 99'));
  const { data } = await asked('/runs');
  expect(data.map((run) => [run['id'], run['state'], codeIn(run)])).toEqual([
    [newer, 'unreadable', 'run-newer'],
    [id, 'completed', undefined],
  ]);
  expect(await codeOf(`/runs/${newer}/trials`)).toEqual([409, 'run-newer']);
});

test('a run without read permission is listed with its reason; other folders are left out', async () => {
  const id = await keep(1000, [ended(rowOf('a'))]);
  const refused = '20260101T000000Z-aaaaaa';
  mkdirSync(placeOf(refused));
  symlinkSync('run.json', placeOf(refused, 'run.json'));
  writeFileSync(placeOf('20260101T000000Z-bbbbbb'), '');
  mkdirSync(placeOf('20260101T000000Z-cccccc'));
  const { data } = await asked('/runs');
  expect(data.map((run) => [run['id'], run['state'], codeIn(run)])).toEqual([
    [refused, 'unreadable', 'run-unreadable'],
    [id, 'completed', undefined],
  ]);
  expect(await codeOf(`/runs/${refused}/trials`)).toEqual([409, 'run-unreadable']);
});

test('rows that cannot be read make a run unreadable and nothing else', async () => {
  const id = await keep(1000, [ended(rowOf('a'))]);
  appendFileSync(placeOf(id, 'results.jsonl'), '{"half":\n');
  expect((await asked('/runs')).data.map((run) => [run['state'], codeIn(run)])).toEqual([
    ['unreadable', 'run-unreadable'],
  ]);
  expect(await codeOf(`/runs/${id}/trials`)).toEqual([409, 'run-unreadable']);
  rmSync(placeOf(id, 'results.jsonl'));
  mkdirSync(placeOf(id, 'results.jsonl'));
  expect(await codeOf(`/runs/${id}/trials`)).toEqual([409, 'run-unreadable']);
  expect(await codeOf('/trends')).toEqual([200, undefined]);
});

test('a torn last line of a growing log is not an event', async () => {
  const run = await begin(1000, 2);
  const log = run.openLog(0);
  await log.append([ended(rowOf('a'))]);
  const { id } = run.manifest;
  appendFileSync(placeOf(id, 'events.jsonl'), '{"sequence":2,"at":"20');
  expect((await asked(`/runs/${id}/events`)).data).toHaveLength(1);
  expect((await asked(`/runs/${id}/trials`)).data).toHaveLength(1);
  log.close();
  run.release();
});

test('a run that is removed while it is shown is gone, also from a list that is paged', async () => {
  const ids = [await keep(1000, [failed('a')]), await keep(2_000_000, [failed('a')])];
  await keep(3_000_000, [failed('a')]);
  const first = await asked('/runs?limit=2');
  rmSync(placeOf(ids[1] ?? ''), { recursive: true });
  expect((await asked(`/runs?limit=2&cursor=${first.next_cursor}`)).data.map(({ id }) => id)).toEqual([
    ids[0],
  ]);
  expect(await codeOf(`/runs/${ids[1]}`)).toEqual([404, 'run-not-found']);
  expect(await codeOf(`/runs/${ids[1]}/trials/1`)).toEqual([404, 'run-not-found']);
});

const OF_A_RUN = [
  '/trials',
  '/trials/1',
  '/trials/1/transcript',
  '/matrix',
  '/cost',
  '/distributions',
  '/judges',
  '/export',
  '/export?format=csv',
  '/export?format=junit',
  '/export?format=html',
];

test.each(OF_A_RUN)('%s of a run that is newer, damaged or gone is a reason', async (place) => {
  const id = await keep(1000, [ended(rowOf('a'))]);
  expect((await ask(`/runs/${id}${place}`)).status).toBe(200);
  const manifest = readFileSync(placeOf(id, 'run.json'), 'utf8');
  writeFileSync(placeOf(id, 'run.json'), manifest.replace('"formatVersion": 1', '"formatVersion": 99'));
  expect(await codeOf(`/runs/${id}${place}`)).toEqual([409, 'run-newer']);
  writeFileSync(placeOf(id, 'run.json'), manifest);
  writeFileSync(placeOf(id, 'results.jsonl'), 'no JSON\n');
  writeFileSync(placeOf(id, 'events.jsonl'), 'no JSON\n');
  expect(await codeOf(`/runs/${id}${place}`)).toEqual([409, 'run-unreadable']);
  rmSync(placeOf(id), { recursive: true });
  expect(await codeOf(`/runs/${id}${place}`)).toEqual([404, 'run-not-found']);
});

test('a run that is removed while it is followed ends its feed', async () => {
  const run = await begin(1000, 2);
  const log = run.openLog(0);
  await log.append([ended(rowOf('a'))]);
  const { id } = run.manifest;
  const feed = await ask(`/runs/${id}/events`, { headers: { accept: 'text/event-stream' } });
  const changes = messagesOf(await ask(`/feed?run=${id}`));
  expect(await changes.next()).toMatchObject({ data: { state: 'running' } });
  log.close();
  rmSync(placeOf(id), { recursive: true });
  expect((await feed.text()).match(/^id: /gm)).toHaveLength(1);
  expect(await changes.next()).toMatchObject({ event: 'run', data: { id, state: 'unreadable' } });
  await changes.end();
});

test('a log that is damaged while it is followed ends its feed, and the reason is asked for', async () => {
  const run = await begin(1000, 2);
  const log = run.openLog(0);
  await log.append([ended(rowOf('a'))]);
  const { id } = run.manifest;
  const feed = await ask(`/runs/${id}/events`, { headers: { accept: 'text/event-stream' } });
  appendFileSync(placeOf(id, 'events.jsonl'), 'no JSON\n');
  expect((await feed.text()).match(/^id: /gm)).toHaveLength(1);
  expect(await codeOf(`/runs/${id}/events`)).toEqual([409, 'run-unreadable']);
  log.close();
  run.release();
});

test('an export that fails halfway closes the connection, so that it does not look complete', async () => {
  const rows = Array.from({ length: 5000 }, (_, at) => ended(rowOf(`case ${at}`, { number: at + 1 })));
  const id = await keep(1000, rows);
  appendFileSync(placeOf(id, 'results.jsonl'), 'no JSON\n');
  const answer = await ask(`/runs/${id}/export?format=jsonl`);
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow('terminated');
});

test('the message about an unknown run names no folder of this machine', async () => {
  await keep(1000, [ended(rowOf('a'))]);
  const { error } = await asked('/comparisons?base=nothing&candidate=nothing');
  expect(error).toMatchObject({ code: 'run-not-found', message: 'unknown run "nothing"' });
});

test('no path leads to a run elsewhere', async () => {
  const id = await keep(1000, [ended(rowOf('a'))]);
  const elsewhere = placeOf('moved');
  mkdirSync(elsewhere);
  renameSync(placeOf(id), join(elsewhere, 'run'));
  for (const path of [join(elsewhere, 'run'), 'moved/run', './moved/run']) {
    expect(await codeOf(`/runs/${encodeURIComponent(path)}/trials`)).toEqual([404, 'run-not-found']);
  }
  for (const path of [join(elsewhere, 'run'), 'moved/run', '..', '.']) {
    const side = encodeURIComponent(path);
    expect(await codeOf(`/comparisons?base=${side}&candidate=${side}`)).toEqual([404, 'run-not-found']);
  }
});

test('an invalid folder of runs is reported with a reason', async () => {
  await keep(1000, [ended(rowOf('a'))]);
  const folder = join(placeOf('x'), '..');
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  expect(await codeOf('/runs')).toEqual([409, 'run-unreadable']);
});

test('an address with invalid escapes is a 404', async () => {
  expect((await ask('/%E0%A4%A')).status).toBe(404);
  expect((await ask('/runs/%E0%A4%A')).status).toBe(404);
  expect((await ask('/../../%E0%A4%A')).status).toBe(404);
});

function codeIn({ error }: Record<string, unknown>): unknown {
  return (error as { code?: unknown } | null)?.code;
}
