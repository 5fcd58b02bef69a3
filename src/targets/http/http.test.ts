import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { ask, servicesOf, temporaryFolder, worldOf } from '../../../test/contracts/target.ts';
import { countingServer } from '../../../test/support/counting-server.ts';
import type { MeasurementError } from '../../core/errors.ts';
import type { TargetServices } from '../../core/plugin.ts';
import type { Target } from '../../core/target.ts';
import { addressGuard } from '../../lib/http/address-guard.ts';
import { httpTarget } from './http.ts';
import { json, say, serve, serveRaw } from '../../../test/contracts/scripted-agent.ts';

const { signal } = new AbortController();

const EXAMPLE =
  'answer in the documented format, such as {"messages": [{"role": "assistant", "content": "Hello"}]}, or convert the answer in a target of type `module`';

function targetOf(config: object, more: Partial<TargetServices> = {}): Target {
  const services = { ...servicesOf({ directory: temporaryFolder(), name: 'bot' }), ...more };
  const target = httpTarget.create(httpTarget.config.parse(config), services);
  onTestFinished(async () => await target[Symbol.asyncDispose]?.());
  return target;
}

/** From now on every wait for a time lasts for ever. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

async function sessionOf(config: object, world = worldOf()) {
  return await targetOf(config).open(world, signal);
}

describe('the request', () => {
  test('a request has the documented body, headers and key', async () => {
    const server = await serve((response) => json(response, say('Hello')));
    const key = 'stored/a%2Fb/bot/r2';
    const world = worldOf({ runId: 'RUN', key, attempt: 3, caseId: 'a/b', repetition: 2 });
    const session = await sessionOf(
      { url: `${server.url}?v=1`, headers: { authorization: 'Bearer s' } },
      world,
    );
    await ask(session, 'Hi');
    const [seen] = server.seen;
    const { session_id: sessionId, ...metadata } = seen!.body.metadata;
    expect(sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(metadata).toEqual({
      run_id: 'RUN',
      trial: key,
      test_case_id: 'a/b',
      repetition: 2,
      turn_index: 0,
    });
    expect(seen).toMatchObject({
      method: 'POST',
      path: '/agent?v=1',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer s',
        'idempotency-key': createHash('sha256').update(`RUN\n${key}\n3\n0`).digest('hex').slice(0, 32),
      },
      body: { messages: [{ role: 'user', content: 'Hi' }] },
    });
    expect(Object.keys(seen!.body)).toEqual(['messages', 'metadata']);
  });

  test('a prompt can be its first message, with the texts around the question', async () => {
    const server = await serve((response) => json(response, say('Hello')));
    const world = worldOf({ vars: { city: 'Rome', __prefix: 'Please: ', __suffix: '!' } });
    const prompt = 'Describe {{ vars.city }}';
    const target = targetOf({ url: server.url, promptRole: 'user' }, { prompt });
    const session = await target.open(world, signal);
    await ask(session, 'Rome');
    await ask(session, 'And now?');
    expect(server.seen.map(({ body }) => [body.messages, body.metadata.prompt])).toEqual([
      [[{ role: 'user', content: 'Please: Describe Rome!' }], undefined],
      [
        [
          { role: 'user', content: 'Please: Describe Rome!' },
          { role: 'assistant', content: 'Hello' },
          { role: 'user', content: 'And now?' },
        ],
        undefined,
      ],
    ]);
  });

  test('headers of the author override ours, and credentials of the url are sent', async () => {
    const server = await serve((response) => json(response, say('A')));
    await ask(
      await sessionOf({ url: server.url, headers: { 'Content-Type': 'application/x', HOST: 'h' } }),
      'Hi',
    );
    await ask(await sessionOf({ url: server.url.replace('//', '//me:p%40ss@') }), 'Hi');
    expect(server.seen).toMatchObject([
      { headers: { 'content-type': 'application/x', host: 'h', accept: 'application/json' } },
      { headers: { authorization: `Basic ${btoa('me:p@ss')}`, host: new URL(server.url).host } },
    ]);
  });

  test("every turn sends the whole history, the agent's own messages as it gave them", async () => {
    const own = [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
        x: 1,
      },
      { role: 'tool', tool_call_id: 'c1', content: 'ok' },
      { role: 'assistant', content: 'A1' },
    ];
    const server = await serve((response, number) =>
      json(response, number === 1 ? { messages: own } : say('A2')),
    );
    const history = [{ role: 'assistant', parts: [{ text: 'Welcome' }] }] as const;
    const session = await sessionOf({ url: server.url }, worldOf({ history }));
    for (const text of ['U1', 'U2', 'U3']) await ask(session, text);
    const bodies = server.seen.map(({ body }) => body);
    expect(bodies.map(({ metadata }) => metadata['turn_index'])).toEqual([0, 1, 2]);
    expect(new Set(bodies.map(({ metadata }) => metadata['session_id'])).size).toBe(1);
    expect(new Set(server.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
    expect(bodies[2]?.messages).toEqual([
      { role: 'assistant', content: 'Welcome' },
      { role: 'user', content: 'U1' },
      ...own,
      { role: 'user', content: 'U2' },
      { role: 'assistant', content: 'A2' },
      { role: 'user', content: 'U3' },
    ]);
  });

  test('`history: last` sends the newest message only', async () => {
    const server = await serve((response) => json(response, say('A')));
    const session = await sessionOf({ url: server.url, history: 'last' });
    await ask(session, 'U1');
    await ask(session, 'U2');
    expect(server.seen[1]!.body.messages).toEqual([{ role: 'user', content: 'U2' }]);
  });

  test('if the agent speaks first, the request has no message yet', async () => {
    const server = await serve((response) => json(response, say('Hello')));
    const { entries } = await ask(await sessionOf({ url: server.url }), undefined);
    expect(server.seen[0]!.body.messages).toEqual([]);
    expect(entries).toHaveLength(1);
  });

  test('files are inlined, a lone JSON part is itself, images need leave', async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'notes.txt'), 'one\ntwo');
    await writeFile(join(folder, 'dot.png'), Buffer.from([1, 2, 3]));
    const server = await serve((response) => json(response, say('A')));
    const world = worldOf({ workspace: { directory: folder } });
    const session = await sessionOf({ url: server.url, images: true }, world);
    await ask(session, [{ text: 'Read' }, { file: join(folder, 'notes.txt') }]);
    await ask(session, [{ json: { a: 1 } }]);
    await ask(session, [{ text: 'See' }, { image: join(folder, 'dot.png') }]);
    const sent = server.seen[2]!.body.messages;
    expect(sent.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'Read\n<file path="notes.txt">\none\ntwo\n</file>',
      { a: 1 },
      [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
      ],
    ]);
    const strict = await sessionOf({ url: server.url }, world);
    await expect(ask(strict, [{ image: join(folder, 'dot.png') }])).rejects.toMatchObject({
      detail: 'image-refused',
    });
    await expect(ask(strict, [{ file: join(folder, 'gone') }])).rejects.toMatchObject({
      detail: 'file-unusable',
    });
    await expect(ask(strict, [{ text: '' }, { file: process.execPath }])).rejects.toThrow(
      `${process.execPath}: not UTF-8 text; files are sent as text in the message`,
    );
  });

  test('turns of all sessions share kept connections', async () => {
    const server = await serve((response) => json(response, say('A')));
    const target = targetOf({ url: server.url });
    for (let i = 0; i < 3; i++) {
      const session = await target.open(worldOf(), signal);
      await ask(session, 'U1');
      await ask(session, 'U2');
    }
    expect(server.seen.map(({ connection }) => connection)).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

describe('what comes back', () => {
  test('messages, calls, results and usage become entries', async () => {
    const server = await serve((response) =>
      json(response, {
        messages: [
          {
            role: 'assistant',
            content: 'Looking',
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'lookup', arguments: '{"id":"ORD-1"}' } },
              { id: 'c2', type: 'function', function: { name: 'raw', arguments: 'id=1' } },
              { id: 'c3', type: 'function', function: { name: 'object', arguments: { n: 25 } } },
            ],
          },
          { role: 'tool', tool_call_id: 'c1', content: '{"status":"ok"}' },
          { role: 'tool', tool_call_id: 'c2', content: { status: 'ok' } },
          { role: 'assistant', content: '' },
        ],
        model: 'm-1',
        provider: 'p',
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 99 },
        metadata: { any: [1] },
        other: 'ignored',
        end: { reason: 'resolved' },
      }),
    );
    const { entries, end } = await ask(await sessionOf({ url: server.url }), 'Hi');
    expect(entries).toEqual([
      { type: 'message', role: 'assistant', phase: 'commentary', parts: [{ text: 'Looking' }], step: 1 },
      { type: 'tool-call', callId: 'c1', name: 'lookup', input: { id: 'ORD-1' }, step: 1 },
      { type: 'tool-call', callId: 'c2', name: 'raw', input: 'id=1', step: 1 },
      { type: 'tool-call', callId: 'c3', name: 'object', input: { n: 25 }, step: 1 },
      { type: 'tool-result', callId: 'c1', output: '{"status":"ok"}', step: 1 },
      { type: 'tool-result', callId: 'c2', output: { status: 'ok' }, step: 1 },
      { type: 'message', role: 'assistant', parts: [{ text: '' }], step: 2 },
      { type: 'usage', inputTokens: 10, outputTokens: 5, totalTokens: 15, model: 'm-1' },
    ]);
    expect(end).toEqual({ sessionId: expect.stringMatching(/./), ended: { reason: 'resolved' } });
  });

  test('no message is needed when the agent ends the conversation', async () => {
    const server = await serve((response) => json(response, { messages: [], end: true }));
    const { entries, end } = await ask(await sessionOf({ url: server.url }), 'Hi');
    expect(entries).toEqual([]);
    expect(end.ended).toEqual({});
  });

  test('incomplete usage is unknown, unless the total gives the missing part', async () => {
    const usages = [
      { prompt_tokens: 7 },
      { total_tokens: 9 },
      { prompt_tokens: 7, total_tokens: 9 },
      {},
      null,
    ];
    const server = await serve((response, number) =>
      json(response, { ...say('A'), usage: usages[number - 1] }),
    );
    const session = await sessionOf({ url: server.url });
    const found = [];
    for (const _ of usages)
      found.push((await ask(session, 'Hi')).entries.filter(({ type }) => type === 'usage'));
    const whole = { type: 'usage', inputTokens: 7, outputTokens: 2, totalTokens: 9 };
    expect(found).toEqual([[], [], [whole], [], []]);
  });

  const call = (given: object) => ({ messages: [{ role: 'assistant', content: '', tool_calls: [given] }] });

  test.each([
    [[], 'the top: expected an object, got a list'],
    [{}, 'messages: expected a list such as [{"role": "assistant", "content": "Hello"}], got nothing'],
    [
      { messages: 'x' },
      'messages: expected a list such as [{"role": "assistant", "content": "Hello"}], got "x"',
    ],
    [{ messages: [] }, 'messages: expected a message or `end`, got neither'],
    [{ messages: [], end: 'x' }, 'end: expected true or {reason}'],
    [{ messages: [], end: { reason: 4 } }, 'end.reason: expected a text, got 4'],
    [{ messages: ['x'] }, 'messages.0: expected an object, got "x"'],
    [{ messages: [{ content: 'x' }] }, 'messages.0.role: expected a text, got nothing'],
    [
      { messages: [{ role: 'user', content: 'x' }, ...say('A').messages] },
      'messages.0.role: expected `assistant` or `tool`, got "user"',
    ],
    [
      { messages: [...say('A').messages, { role: 'tool', tool_call_id: 'c', content: 'x' }] },
      'messages.1.role: expected `assistant` for the last message, got "tool"',
    ],
    [
      { messages: [{ role: 'tool', content: 'x' }, ...say('A').messages] },
      'messages.0.tool_call_id: expected a text, got nothing',
    ],
    [
      { messages: [{ role: 'tool', tool_call_id: 'c' }, ...say('A').messages] },
      'messages.0.content: expected content, got nothing',
    ],
    [{ messages: [{ role: 'assistant' }] }, 'messages.0.content: expected a text, got nothing'],
    [{ messages: [{ role: 'assistant', content: 5 }] }, 'messages.0.content: expected a text, got 5'],
    [
      { messages: [{ role: 'assistant', content: 'x', tool_calls: {} }] },
      'messages.0.tool_calls: expected a list, got an object',
    ],
    [call({}), 'messages.0.tool_calls.0.id: expected a text, got nothing'],
    [call({ id: 'c', type: 'x' }), 'messages.0.tool_calls.0.type: expected `function`'],
    [call({ id: 'c' }), 'messages.0.tool_calls.0.function: expected an object, got nothing'],
    [call({ id: 'c', function: {} }), 'messages.0.tool_calls.0.function.name: expected a text, got nothing'],
    [
      { ...say('A'), usage: { prompt_tokens: '5' } },
      'usage.prompt_tokens: expected a number from 0 to 1000000000000, got "5"',
    ],
    [{ ...say('A'), model: 5 }, 'model: expected a text, got 5'],
  ])('%j is refused at its first wrong path', async (body, problem) => {
    const server = await serve((response) => json(response, body));
    await expect(ask(await sessionOf({ url: server.url }), 'Hi')).rejects.toMatchObject({
      stage: 'target',
      kind: 'contract',
      transient: false,
      message: `invalid answer at ${problem}; the answer was: ${JSON.stringify(body)}`,
      hint: EXAMPLE,
    });
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    ['<html>', 'the answer is not JSON; the answer was: <html>'],
    ['', 'the answer is not JSON; the body is empty'],
    ['é'.repeat(600), `the answer is not JSON; the answer was: ${'é'.repeat(500)}...`],
  ])('the body %j is not JSON', async (body, message) => {
    const server = await serve((response) => response.end(body));
    await expect(ask(await sessionOf({ url: server.url }), 'Hi')).rejects.toMatchObject({
      kind: 'contract',
      message,
      hint: EXAMPLE,
    });
  });

  test('a body beyond the bound is refused, one of 50 MB within it is read', async () => {
    const server = await serve((response) => json(response, say('x'.repeat(50_000_000))));
    await expect(ask(await sessionOf({ url: server.url }), 'Hi')).rejects.toMatchObject({
      kind: 'contract',
      detail: 'output-limit',
      message: `${server.url} answered with more than 33554432 bytes`,
    });
    const { entries } = await ask(await sessionOf({ url: server.url, maxBodyBytes: 60_000_000 }), 'Hi');
    const [entry] = entries;
    expect(entry?.type === 'message' && 'text' in entry.parts[0]! && entry.parts[0].text.length).toBe(
      50_000_000,
    );
  });
});

describe('statuses', () => {
  test.each([
    [400, false],
    [404, false],
    [408, true],
    [429, true],
    [500, true],
    [503, true],
  ])('status %i is an http-error, may pass: %s, and is asked once', async (status, transient) => {
    const server = await serve((response) => response.writeHead(status).end('e'.repeat(9_000)));
    await expect(ask(await sessionOf({ url: server.url }), 'Hi')).rejects.toMatchObject({
      stage: 'target',
      kind: 'http-error',
      detail: `http-${status}`,
      transient,
      message: `${server.url} answered with status ${status}: ${'e'.repeat(500)}`,
    });
    expect(server.seen).toHaveLength(1);
  });

  test('500 twice is two errors, then the same session works', async () => {
    const server = await serve((response, number) => json(response, say('A'), number < 3 ? 500 : 200));
    const target = targetOf({ url: server.url });
    for (const attempt of [1, 2]) {
      const session = await target.open(worldOf({ attempt }), signal);
      await expect(ask(session, 'Hi')).rejects.toMatchObject({ kind: 'http-error' });
    }
    const session = await target.open(worldOf({ attempt: 3 }), signal);
    expect((await ask(session, 'Hi')).entries).toHaveLength(1);
    expect(new Set(server.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
  });

  test.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '9', 'retry-after-ms': '150' }, 150],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%j asks to wait %s ms', async (headers, retryAfterMs) => {
    const server = await serve((response) =>
      response.writeHead(429, headers as Record<string, string>).end(),
    );
    const error = await ask(await sessionOf({ url: server.url }), 'Hi').catch((thrown: unknown) => thrown);
    expect((error as { retryAfterMs?: number }).retryAfterMs).toBe(retryAfterMs);
  });

  test('a redirect is not followed', async () => {
    const server = await serve((response) => response.writeHead(307, { location: '/other' }).end());
    await expect(ask(await sessionOf({ url: server.url }), 'Hi')).rejects.toMatchObject({
      kind: 'http-error',
      message: `${server.url} answered with status 307 (redirects are not followed)`,
    });
    expect(server.seen).toHaveLength(1);
  });
});

describe('connections that fail', () => {
  test('a refused connection, or a third reset, is target-unavailable and transient', async () => {
    const server = await serve((_response, _number, request) => request.socket.resetAndDestroy());
    const [refused, reset] = await Promise.allSettled([
      ask(await sessionOf({ url: 'http://127.0.0.1:1/x?key=secret' }), 'Hi'),
      ask(await sessionOf({ url: server.url }), 'Hi'),
    ]);
    expect(refused).toMatchObject({
      reason: {
        stage: 'target',
        kind: 'target-unavailable',
        transient: true,
        message: 'http://127.0.0.1:1/x: connection failed: connect ECONNREFUSED 127.0.0.1:1',
      },
    });
    expect(reset).toMatchObject({ reason: { kind: 'target-unavailable', transient: true } });
    expect(server.seen).toHaveLength(3);
  });

  test('a connection that does not come in time is not tried again', async () => {
    const raw = await serveRaw(() => {});
    const url = raw.url.replace('http:', 'https:');
    await expect(ask(await sessionOf({ url, connectTimeoutMs: 150 }), 'Hi')).rejects.toMatchObject({
      kind: 'target-unavailable',
      detail: 'connect-timeout',
      transient: true,
      message: `${url}: connecting timed out after 150 ms`,
    });
    await expect.poll(raw.connections).toBe(1);
  });

  test('a server that does not speak TLS is not worth another attempt', async () => {
    const server = await serve((response) => json(response, say('A')));
    await expect(
      ask(await sessionOf({ url: server.url.replace('http:', 'https:') }), 'Hi'),
    ).rejects.toMatchObject({
      kind: 'target-unavailable',
      transient: false,
    });
  });

  test('reset twice before a byte, then fine: three requests, one key, one turn', async () => {
    const server = await serve((response, number, request) => {
      if (number < 3) request.socket.resetAndDestroy();
      else json(response, say('A'));
    });
    const { entries } = await ask(await sessionOf({ url: server.url }), 'Hi');
    expect(entries).toHaveLength(1);
    expect(server.seen).toHaveLength(3);
    expect(new Set(server.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(server.seen.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('a pooled connection that the server has closed causes neither an error nor a wait', async () => {
    const server = await serve((response, number, request) => {
      // The second request meets a connection that its server gives up at the very moment it arrives.
      if (number === 2) request.socket.destroy();
      else json(response, say(`A${number}`));
    });
    const session = await sessionOf({ url: server.url });
    await ask(session, 'one');
    stopTimers();
    const { entries } = await ask(session, 'two');
    expect(entries).toMatchObject([{ parts: [{ text: 'A3' }] }]);
    expect(server.seen.map(({ connection }) => connection)).toEqual([1, 1, 2]);
  });

  test('many pooled connections closed at once by the server lose no turn', async () => {
    const server = await serve((response) => json(response, say('A')));
    const target = targetOf({ url: server.url });
    const sessions = await Promise.all(
      Array.from({ length: 20 }, async () => await target.open(worldOf(), signal)),
    );
    await Promise.all(sessions.map(async (session) => await ask(session, 'one')));
    for (const socket of server.sockets) socket.destroy();
    const answers = await Promise.all(sessions.map(async (session) => await ask(session, 'two')));
    expect(answers.map(({ entries }) => entries.length)).toEqual(Array.from({ length: 20 }, () => 1));
  });

  test.each([
    ['in the middle of its body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"messages":'],
    ['in the middle of a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{"mess'],
    ['in the middle of its headers', 'HTTP/1.1 200 O'],
  ])('a server that stops %s is not asked again', async (_where, bytes) => {
    const server = await serveRaw((socket) => socket.end(bytes));
    await expect(ask(await sessionOf({ url: server.url }), 'Hi')).rejects.toMatchObject({
      stage: 'target',
      kind: 'target-unavailable',
      detail: 'connection-lost',
      transient: true,
    });
    expect(server.count()).toBe(1);
  });

  test('an answer that is not HTTP breaks the contract', async () => {
    const server = await serveRaw((socket) => socket.end('220 mail.example.com ESMTP\r\n'));
    await expect(ask(await sessionOf({ url: server.url }), 'Hi')).rejects.toMatchObject({ kind: 'contract' });
    expect(server.count()).toBe(1);
  });

  test('a hanging server is abandoned as soon as the signal is aborted, and its connection is closed', async () => {
    let socket: Socket | undefined;
    let onAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (onAsked = resolve));
    const server = await serve((_response, _number, request) => {
      socket = request.socket;
      onAsked();
    });
    const controller = new AbortController();
    const turn = ask(await sessionOf({ url: server.url }), 'Hi', controller.signal);
    await asked;
    const reason = new Error('time is up');
    controller.abort(reason);
    await expect(turn).rejects.toBe(reason);
    if (socket?.destroyed === false) await once(socket, 'close');
    expect(server.seen).toHaveLength(1);
  });

  test('the clocks of the turn stop only while it waits for a retry, with the reason', async () => {
    const told: string[] = [];
    const reasons: unknown[] = [];
    const server = await serve((_response, _number, request) => {
      told.push('asked');
      request.socket.resetAndDestroy();
    });
    const hold = (because?: MeasurementError) => {
      told.push('held');
      reasons.push(because);
      return () => void told.push('let go');
    };
    const session = await sessionOf({ url: server.url }, { ...worldOf(), hold });
    const thrown = await ask(session, 'Hi').catch((error: unknown) => error);
    expect(thrown).toMatchObject({ kind: 'target-unavailable', transient: true });
    expect(reasons).toEqual([thrown, thrown]);
    expect(told).toEqual(['asked', 'held', 'let go', 'asked', 'held', 'let go', 'asked']);
  });

  test('an abort ends the wait before a repeat', async () => {
    const server = await serve((_response, _number, request) => request.socket.resetAndDestroy());
    const controller = new AbortController();
    stopTimers();
    const turn = ask(await sessionOf({ url: server.url }), 'Hi', controller.signal);
    await expect.poll(() => [server.seen.length, vi.getTimerCount()]).toEqual([1, 1]);
    const reason = new Error('time is up');
    controller.abort(reason);
    await expect(turn).rejects.toBe(reason);
    expect(server.seen).toHaveLength(1);
  });
});

describe('a guard of addresses', () => {
  test('ends the turn without a connection to a name that leads to this machine, and without a repeat', async () => {
    const server = await countingServer();
    const lookup = vi.fn<(name: string) => Promise<string[]>>(async () => ['127.0.0.1']);
    const url = `http://agent.test:${server.port}/turn`;
    const target = targetOf({ url }, { addresses: addressGuard({ privateHosts: [], lookup }) });
    const thrown = await ask(await target.open(worldOf(), signal), 'Hi').catch((error: unknown) => error);
    expect(thrown).toMatchObject({
      message: `${url}: connections to the private address agent.test (127.0.0.1) are not allowed`,
      kind: 'target-unavailable',
      detail: 'address-forbidden',
      transient: false,
    });
    expect([lookup.mock.calls, server.connections()]).toEqual([[['agent.test']], 0]);
  });

  test('that allows the address changes nothing', async () => {
    const server = await serve((response) => json(response, say('Hello')));
    const addresses = addressGuard({ privateHosts: ['127.0.0.1'] });
    const session = await targetOf({ url: server.url }, { addresses }).open(worldOf(), signal);
    const { entries } = await ask(session, 'Hi');
    expect(entries).toHaveLength(1);
  });
});

describe('the configuration', () => {
  test.each([
    [
      { url: 'localhost:80' },
      [{ path: ['url'], message: 'must be a URL that starts with http:// or https://' }],
    ],
    [
      { url: 'http://127.0.0.1:{PORT}/' },
      [{ path: ['url'], message: '{PORT} can only be used with `server`' }],
    ],
    [{ url: 'http://h/', headers: { 'a b': 'x' } }, [{ path: ['headers', 'a b'] }]],
    [{ url: 'http://h/', headers: { 'Idempotency-Key': 'x' } }, [{ path: ['headers', 'Idempotency-Key'] }]],
    [{ url: 'http://h/', histroy: 'all' }, [{ code: 'unrecognized_keys', keys: ['histroy'] }]],
  ])('%j is refused', (config, issues) => {
    expect(httpTarget.config.safeParse(config).error?.issues).toMatchObject(issues);
  });
});
