import { createConnection } from 'node:net';
import { once } from 'node:events';

import { expect, test } from 'vitest';

import type { AnsweredBody } from '../../test/support/answered.ts';
import { onServedStores } from '../../test/support/served-store.ts';
import { sendUpload, uploadOf } from '../../test/support/uploaded-run.ts';
import { FACTS, keyOf, LONG } from '../../test/support/written-runs.ts';
import type { Emitted } from '../core/run.ts';
import { sha256 } from '../lib/digest.ts';
import { attached } from '../storage/runs/detach.ts';
import { attemptOf, ended, manifestOf, note, rowOf } from '../storage/run-directory/fixtures/runs.ts';

const TEXT = sha256(LONG);
const SOME: readonly Emitted[] = [
  ...attemptOf('a', 1, ['hi']),
  ended(rowOf('a', { output: attached(LONG) })),
  ended(rowOf('b', { number: 2, verdict: 'failed', status: 'failed', passed: false, score: 0 })),
];
const FILE = {
  type: 'artifact',
  trial: keyOf('a'),
  attempt: 1,
  name: 'agent-state/a.json',
  sha256: sha256('{}'),
};
const { id: ID } = manifestOf();

onServedStores('uploading', ({ url, ask }) => {
  const send = async (lines: readonly object[]) => {
    const answer = await sendUpload(url(), lines);
    const body = (await answer.json()) as AnsweredBody<'POST', '/runs/upload'>;
    return { status: answer.status, body };
  };
  const put = async (digest: string, text: string) => {
    const answer = await fetch(`${url()}/api/v1/attachments/${digest}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: text,
    });
    const body = (await answer.json()) as AnsweredBody<'PUT', `/attachments/${string}`>;
    return { status: answer.status, body };
  };
  const withFile = uploadOf(SOME).toSpliced(-1, 0, FILE as never);

  test('names the bytes that are missing, takes them, and then has all of the run', async () => {
    const first = await send(withFile);
    const missing = [TEXT, sha256('{}')].toSorted();
    expect(first).toEqual({
      status: 200,
      body: { run: ID, is_new: true, new_events: SOME.length, missing },
    });
    expect(await put(TEXT, LONG)).toEqual({ status: 200, body: { sha256: TEXT } });
    expect((await put(sha256('{}'), '{}')).status).toBe(200);
    expect(await send(withFile)).toEqual({
      status: 200,
      body: { run: ID, is_new: false, new_events: 0, missing: [] },
    });
    const run = await ask('GET', `/runs/${ID}`);
    expect(run.body).toMatchObject({
      id: ID,
      state: 'completed',
      totals: { counts: { passed: 1, failed: 1 } },
    });
    const name = encodeURIComponent('agent-state/a.json');
    const file = await fetch(`${url()}/api/v1/runs/${ID}/trials/1/attempts/1/artifacts/${name}`);
    expect([file.headers.get('content-disposition'), await file.text()]).toEqual([
      `attachment; filename*=UTF-8''a.json`,
      '{}',
    ]);
    const text = await fetch(`${url()}/api/v1/attachments/${TEXT}?run=${ID}`);
    expect(await text.text()).toBe(LONG);
  });

  test('exports rows that are equal to those that were sent', async () => {
    await send(uploadOf(SOME));
    const exported = await fetch(`${url()}/api/v1/runs/${ID}/export?format=jsonl`);
    const rows = SOME.flatMap(({ fact }) => (fact.type === 'trial-end' ? [fact.row] : []));
    expect(await exported.text()).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  });

  test('stores the rest of a run in progress, and refuses another log', async () => {
    const running = { state: 'running' } as const;
    await send(uploadOf(FACTS.slice(0, 4), running));
    expect((await ask('GET', `/runs/${ID}`)).body.state).toBe('interrupted');
    const rest = await send(uploadOf(FACTS, running));
    expect(rest.body).toMatchObject({ is_new: false, new_events: FACTS.length - 4 });
    const edited = FACTS.with(2, note('edited'));
    expect(await send(uploadOf(edited))).toMatchObject({
      status: 409,
      body: {
        error: { code: 'run-differs', message: expect.stringContaining('event 3 of its log is different') },
      },
    });
  });

  test('refuses lines that are wrong, and keeps nothing of them', async () => {
    const refused = async (lines: readonly object[]) => {
      const { status, body } = await send(lines);
      return [status, body.error.code, body.error.message];
    };
    const [run = {}, ...rest] = uploadOf(SOME);
    expect(await refused([])).toEqual([422, 'upload-invalid', expect.any(String)]);
    expect(await refused(rest)).toEqual([422, 'upload-invalid', expect.any(String)]);
    expect(await refused([run, ...rest.slice(0, -1)])).toEqual([
      422,
      'upload-invalid',
      'the upload was cut off before its end',
    ]);
    expect(await refused([run, { type: 'event', event: { sequence: 1, at: 't', fact: {} } }])).toEqual([
      422,
      'upload-invalid',
      expect.stringContaining('line 2: event.fact.type: '),
    ]);
    expect(await refused(uploadOf([], { id: '../../x' }))).toEqual([
      422,
      'upload-invalid',
      expect.stringContaining('manifest.id'),
    ]);
    expect(await refused(uploadOf([], { formatVersion: 99 }))).toEqual([
      409,
      'run-newer',
      expect.any(String),
    ]);
    const [first, , ...others] = uploadOf(SOME).slice(1);
    expect(await refused([run, first ?? {}, ...others])).toEqual([
      422,
      'upload-invalid',
      'the upload is not valid: line 2 of events.jsonl is event 3, expected event 2',
    ]);
    expect(await refused(uploadOf([]))).toEqual([
      422,
      'upload-invalid',
      'the upload is not valid: it has no events: events.jsonl is missing or empty',
    ]);
    const nonsense = await fetch(`${url()}/api/v1/runs/upload`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: '{"type":',
    });
    expect([nonsense.status, await nonsense.json()]).toMatchObject([400, { error: { code: 'json-syntax' } }]);
    expect((await ask('GET', '/runs')).body.data).toEqual([]);
  });

  test('refuses bytes that are not awaited, other bytes, and another type', async () => {
    expect((await put(TEXT, LONG)).body.error.code).toBe('bytes-not-awaited');
    await send(uploadOf(SOME));
    expect((await put(TEXT, 'other')).body.error.code).toBe('bytes-differ');
    expect((await ask('PUT', `/attachments/${TEXT}`, { body: {} })).status).toBe(415);
  });

  test('brings runs that cannot go on here', async () => {
    await send(uploadOf(SOME, { state: 'interrupted' }));
    for (const what of ['resume', 'regrade']) {
      const { status, body } = await ask('POST', `/runs/${ID}/${what}`, { body: {} });
      expect([what, status, body.error?.code]).toEqual([what, 409, 'run-not-here']);
    }
    expect((await ask('GET', '/runs')).body.data).toHaveLength(1);
  });

  test('whose connection breaks leaves nothing, and the next one is whole', async () => {
    const { hostname, port, host } = new URL(url());
    const socket = createConnection(Number(port), hostname);
    await once(socket, 'connect');
    const [run = {}, ...rest] = uploadOf(SOME);
    socket.write(
      `POST /api/v1/runs/upload HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-ndjson\r\n` +
        'Content-Length: 1000000\r\n\r\n' +
        [run, ...rest]
          .map((line) => `${JSON.stringify(line)}\n`)
          .slice(0, 3)
          .join(''),
    );
    await expect.poll(async () => (await ask('GET', '/runs')).body.data.length).toBe(1);
    socket.destroy();
    await expect.poll(async () => (await ask('GET', '/runs')).body.data.length).toBe(0);
    expect((await send(uploadOf(SOME))).body).toMatchObject({ is_new: true, new_events: SOME.length });
  });
});
