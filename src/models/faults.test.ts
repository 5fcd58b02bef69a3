import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, onTestFinished, test } from 'vitest';

import { refusingPort } from '../../test/support/refusing-port.ts';
import { modelServer } from '../../test/support/model-server.ts';
import type { MeasurementError } from '../core/errors.ts';
import type { ModelRequest } from '../core/model.ts';
import { askOf, doorTo, PROVIDERS, saying } from './door.fixture.ts';
import type { Script } from './mock-server/script.ts';

type Reply = NonNullable<NonNullable<Script['rules']>[number]['reply']>;

async function errorOf(asking: Promise<unknown>): Promise<MeasurementError> {
  try {
    await asking;
  } catch (error) {
    return error as MeasurementError;
  }
  throw new Error('it was answered');
}

async function errorWith(reply: Reply, more: Partial<ModelRequest> = {}) {
  const server = await modelServer({ rules: [{ reply }] });
  const { stage, kind, detail, transient } = await errorOf(askOf(doorTo(server.url), saying('x', more)));
  return { stage, kind, detail, transient, requests: server.counts().total };
}

const models = PROVIDERS.map(({ provider }) => `${provider}/any`);

describe.each(models)('%s', (model) => {
  test('after a rate limit error, the second request waits as long as the provider asked', async () => {
    const refused = { status: 429, headers: { 'retry-after-ms': '80' } };
    const server = await modelServer({ rules: [{ times: 1, reply: refused }, { reply: { text: 'now' } }] });
    const answer = await askOf(doorTo(server.url), saying('x', { model }));
    expect(answer).toMatchObject({ text: 'now', requests: 2 });
    expect(answer.waitedMs).toBeGreaterThanOrEqual(78);
    expect(server.counts().byStatus).toEqual({ 429: 1, 200: 1 });
  });

  test('failing for good: so many tries, then an error that another attempt may not meet', async () => {
    expect(await errorWith({ status: 500 }, { model })).toEqual({
      stage: 'target',
      kind: 'http-error',
      detail: 'http-500',
      transient: true,
      requests: 5,
    });
  });

  test('a wrong key is refused at once, and the error names its variable', async () => {
    const server = await modelServer({ apiKey: 'the-right-key' });
    const error = await errorOf(askOf(doorTo(server.url), saying('x', { model })));
    expect(error).toMatchObject({ kind: 'http-error', detail: 'credentials-rejected', transient: false });
    const keyName = PROVIDERS.find(({ provider }) => model.startsWith(provider))?.keyName;
    expect(error.hint).toContain(keyName);
    expect(server.counts().total).toBe(1);
  });

  test('an unknown model is rejected at once', async () => {
    const server = await modelServer({ models: ['another'] });
    const error = await errorOf(askOf(doorTo(server.url), saying('x', { model })));
    expect(error).toMatchObject({ kind: 'model-rejected', detail: 'model-rejected', transient: false });
    expect(error.message).toContain('does not exist');
    expect(server.counts().total).toBe(1);
  });

  test('an answer that cannot be read breaks the contract, and is not asked for again', async () => {
    expect(await errorWith({ text: 'hi', malformed: true }, { model })).toEqual({
      stage: 'target',
      kind: 'contract',
      detail: 'malformed-answer',
      transient: false,
      requests: 1,
    });
  });

  test('an answer that is too large is an error with its reason', async () => {
    const server = createServer((_, response) => void response.end('['.repeat(100_000)));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const error = await errorOf(askOf(doorTo(`http://127.0.0.1:${port}/v1`), saying('x', { model })));
    expect(error).toMatchObject({ kind: 'contract', detail: 'malformed-answer', transient: false });
    expect(error.message).toContain(
      'the answer cannot be parsed: its JSON is nested more than 10000 levels deep',
    );
  });

  test.each(['break', 'end'] as const)(
    'a stream that is cut off (%s) is asked for again, and never a whole answer',
    async (cut) => {
      const long = 'a text that comes in several pieces';
      expect(await errorWith({ text: long, cut }, { model, pulse: () => {} })).toEqual({
        stage: 'target',
        kind: 'target-unavailable',
        detail: 'cut-off',
        transient: true,
        requests: 3,
      });
    },
  );

  test('a connection that is lost in the middle of an answer in one piece is asked again', async () => {
    const server = await modelServer({
      rules: [{ times: 1, reply: { text: 'hello', cut: 'break' } }, { reply: { text: 'whole' } }],
    });
    const price = { input: 1, output: 1 };
    const answer = await askOf(doorTo(server.url), saying('x', { model, price }));
    expect(answer).toMatchObject({ text: 'whole', requests: 2 });
    // What was lost may have been paid for.
    expect(answer.costUsd).toBe(null);
  });

  test('an invalid address is not retried, and has cost nothing', async () => {
    const { kind, detail, transient, hint, message, isCostUnknown } = await errorOf(
      askOf(doorTo('http://127.0.0.1'), saying('x', { model, baseUrl: 'no address' })),
    );
    expect({ kind, detail, transient, hint, isCostUnknown }).toEqual({
      kind: 'target-unavailable',
      detail: 'err_invalid_url',
      transient: false,
      hint: 'check that the address is correct and the service is running',
      isCostUnknown: false,
    });
    expect(message).toMatch(/^.*: connection failed: .*URL.*, ERR_INVALID_URL$/);
  });

  test('an abort ends a request that hangs, with the reason of the signal', async () => {
    const server = await modelServer({ rules: [{ reply: { hang: true } }] });
    const stop = new AbortController();
    const reason = new Error('time is up');
    const asking = askOf(doorTo(server.url), saying('x', { model }), stop.signal);
    await expect.poll(() => server.counts().total).toBe(1);
    stop.abort(reason);
    await expect(asking).rejects.toBe(reason);
  });
});

test('the error of a user or a judge is laid to its own stage', async () => {
  expect((await errorWith({ status: 400, message: 'no' }, { role: 'user' })).stage).toBe('user');
  expect((await errorWith({ status: 400, message: 'no' }, { role: 'judge' })).stage).toBe('grading');
});

test.each([
  [
    { status: 429, message: 'You exceeded your current quota (insufficient_quota)' },
    { detail: 'quota-exhausted', transient: false, requests: 1 },
  ],
  [
    { status: 400, message: "This model's maximum context length is 10 tokens" },
    { detail: 'context-length', transient: false, requests: 1 },
  ],
  [
    { status: 400, message: 'something else' },
    { detail: 'http-400', transient: false, requests: 1 },
  ],
  [
    { status: 408, message: 'slow' },
    { detail: 'http-408', transient: true, requests: 5 },
  ],
  [
    { status: 429, headers: { 'retry-after': '3600' } },
    { detail: 'http-429', transient: true, requests: 1 },
  ],
] as const)('%j', async (reply, expected) => {
  expect(await errorWith(reply)).toMatchObject({ kind: 'http-error', ...expected });
});

test('a requested wait of more than a minute is left to the caller', async () => {
  const server = await modelServer({
    rules: [{ reply: { status: 429, message: 'busy', headers: { 'retry-after': '3600' } } }],
  });
  const error = await errorOf(askOf(doorTo(server.url), saying('x')));
  expect([error.retryAfterMs, error.message, error.hint]).toEqual([
    3_600_000,
    'local/any: status 429: busy; the server asks to wait for 3600 s',
    'assay waits at most 60 s; continue after that time with assay resume RUN --retry errored',
  ]);
});

test('a request that takes longer than its caller allows is a timeout, and not repeated', async () => {
  const server = await modelServer({ rules: [{ reply: { hang: true } }] });
  const error = await errorOf(askOf(doorTo(server.url), saying('x', { timeoutMs: 1_000 })));
  expect(error).toMatchObject({ kind: 'timeout', transient: false });
  expect(error.message).toContain('local/any: the request timed out after 1000 ms');
  await expect.poll(() => server.counts().total).toBe(1);
});

test('a refused connection is target-unavailable and transient', async () => {
  await using refusing = await refusingPort();
  const error = await errorOf(askOf(doorTo(`http://127.0.0.1:${refusing.port}`), saying('x')));
  expect(error).toMatchObject({ kind: 'target-unavailable', detail: 'econnrefused', transient: true });
});

describe('before anything is sent', () => {
  const door = doorTo('http://127.0.0.1:9', {
    environment: {},
    providers: { openai: { apiKeyEnv: 'MY_KEY' }, nowhere: {} },
  });
  test.each([
    [
      'openai/gpt-4o',
      'credentials-missing',
      'set MY_KEY in the environment or in `.env` next to the config, or name another variable with models.openai.apiKeyEnv',
    ],
    [
      'google/gemini',
      'credentials-missing',
      'set GOOGLE_GENERATIVE_AI_API_KEY in the environment or in `.env` next to the config, or name another variable with models.google.apiKeyEnv',
    ],
    [
      'openai-compatible/x',
      'base-url-missing',
      'set models.openai-compatible.baseUrl in the config to the address of the endpoint',
    ],
    ['gpt-4o', 'model-name', 'write it as provider/name, such as openai/gpt-5-mini'],
  ])('%s: %s', async (model, detail, hint) => {
    expect(await errorOf(askOf(door, saying('x', { model })))).toMatchObject({
      kind: 'target-unavailable',
      detail,
      hint,
      transient: false,
    });
  });

  test('a package that is not installed is named, with the command that installs it', async () => {
    const error = await errorOf(
      askOf(
        doorTo('http://127.0.0.1:9', { environment: { MISTRAL_API_KEY: 'key' } }),
        saying('x', { model: 'mistral/large' }),
      ),
    );
    expect(error).toMatchObject({
      detail: 'package-missing',
      message: 'cannot call mistral/large: the package @ai-sdk/mistral is not installed',
    });
    expect(error.hint).toContain('npm install @ai-sdk/mistral');
  });
});

test.each([
  ['{"id": "1", "object": "chat.completion"}', ''],
  ['Hello', '; it begins with "Hello"'],
])(
  'an endpoint that answers %s instead of the Responses API is named, with how to ask it',
  async (body, begins) => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(body);
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const error = await errorOf(askOf(doorTo(url), saying('x', { model: 'openai/any' })));
    expect(error).toMatchObject({ kind: 'contract', detail: 'malformed-answer' });
    expect(error.message).toContain(`; it came from ${url}/v1/responses${begins}`);
    expect(error.hint).toContain('give the provider another name, such as `models.local.baseUrl`');
  },
);
