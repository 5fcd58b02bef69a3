import { describe, expect, test } from 'vitest';

import { modelServer } from '../../test/support/model-server.ts';
import { refusingPort } from '../../test/support/refusing-port.ts';
import type { MeasurementError } from '../core/errors.ts';
import type { ModelMessage, ModelRequest } from '../core/model.ts';
import { given } from '../lib/given.ts';
import { askOf, doorTo, PROVIDERS, saying } from './door.fixture.ts';

const LOOKUP = {
  name: 'lookup',
  description: 'finds an order',
  parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
};

const VERDICT = {
  type: 'object',
  properties: { score: { type: 'number', minimum: 0, maximum: 1 }, why: { type: 'string' } },
  required: ['score', 'why'],
  additionalProperties: false,
};

const ways = PROVIDERS.flatMap(({ provider }) =>
  [false, true].map((isStreamed) => ({
    provider,
    isStreamed,
    how: isStreamed ? 'streamed' : 'in one piece',
  })),
);

describe.each(ways)('$provider, $how', ({ provider, isStreamed }) => {
  const request = (text: string, more: Partial<ModelRequest> = {}): ModelRequest =>
    saying(text, {
      model: `${provider}/some-model`,
      maxOutputTokens: 500,
      ...(isStreamed ? { pulse: () => {} } : {}),
      ...more,
    });

  test('a text comes back with its usage, its model and how it ended', async () => {
    const usage = { input: 100, output: 20, cacheRead: 40 };
    const server = await modelServer({ rules: [{ reply: { text: 'Grüße, my friend 👋', usage } }] });
    const answer = await askOf(doorTo(server.url), request('hello'));
    expect(answer).toMatchObject({
      text: 'Grüße, my friend 👋',
      toolCalls: [],
      finishReason: 'stop',
      model: `${provider}/some-model`,
      usage: { inputTokens: 100, cacheReadTokens: 40, outputTokens: 20, totalTokens: 120 },
      costUsd: null,
      waitedMs: 0,
      requests: 1,
    });
    expect(server.counts()).toMatchObject({ total: 1, byStatus: { 200: 1 } });
  });

  test('a tool is called and its result is answered; the reasoning of the model is sent back', async () => {
    const server = await modelServer(
      {
        rules: [
          {
            replies: [
              {
                thinking: 'I must look.',
                text: 'Let me see.',
                toolCalls: [{ name: 'lookup', input: { id: 'A' } }],
              },
              { text: 'It is on its way.' },
            ],
          },
        ],
      },
      { records: true },
    );
    const door = doorTo(server.url);
    const first = request('where is A?', { tools: [LOOKUP] });
    const asked = await askOf(door, first);
    expect(asked).toMatchObject({
      text: 'Let me see.',
      toolCalls: [{ name: 'lookup', input: { id: 'A' } }],
      finishReason: 'tool-calls',
    });
    const [call] = asked.toolCalls;
    const own: ModelMessage = {
      role: 'assistant',
      text: asked.text,
      toolCalls: asked.toolCalls,
      ...given({ echo: asked.echo }),
    };
    const result = { callId: call?.callId ?? '', name: 'lookup', output: { state: 'sent' } };
    const messages: ModelMessage[] = [...first.messages, own, { role: 'tool', results: [result] }];
    expect(await askOf(door, { ...first, messages })).toMatchObject({
      text: 'It is on its way.',
      finishReason: 'stop',
    });
    const sent = JSON.stringify(server.requests[1]?.body);
    expect(sent).toContain('sent');
    // Streamed summaries of OpenAI come in events that are not replayed; sealed content must be sent back nevertheless.
    expect(sent).toContain(provider === 'openai' ? 'sealed' : 'I must look.');
  });

  test('a structured answer is asked for by the schema, and found', async () => {
    const server = await modelServer({}, { records: true });
    const answer = await askOf(doorTo(server.url), request('judge this', { role: 'judge', schema: VERDICT }));
    expect(JSON.parse(answer.text)).toEqual({ score: 1, why: 'as scripted' });
    expect(JSON.stringify(server.requests[0]?.body)).toContain('"maximum":1');
  });

  test('system messages keep their place or become blocks, and are never lost', async () => {
    const server = await modelServer({}, { records: true });
    const messages: ModelMessage[] = [
      { role: 'system', text: 'RULE ONE' },
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'assistant', text: 'hello' },
      { role: 'system', text: 'RULE TWO' },
      { role: 'user', parts: [{ text: 'go on' }] },
    ];
    await askOf(doorTo(server.url), request('', { messages }));
    const sent = JSON.stringify(server.requests[0]?.body);
    expect([sent.includes('RULE ONE'), sent.includes('RULE TWO')]).toEqual([true, true]);
  });
});

test('an image goes over the wire as base64', async () => {
  const server = await modelServer({}, { records: true });
  const parts = [{ text: 'what is it?' }, { image: { mediaType: 'image/png', base64: 'aGk=' } }];
  await askOf(doorTo(server.url), saying('', { messages: [{ role: 'user', parts }] }));
  expect(JSON.stringify(server.requests[0]?.body)).toContain('data:image/png;base64,aGk=');
});

test('arguments that are not JSON are kept as text', async () => {
  const server = await modelServer({
    rules: [{ reply: { toolCalls: [{ name: 'lookup', rawInput: '{"id": "A' }] } }],
  });
  const answer = await askOf(doorTo(server.url), saying('x', { tools: [LOOKUP] }));
  expect(answer.toolCalls).toMatchObject([{ name: 'lookup', input: '{"id": "A' }]);
});

test('an endpoint that refuses schemas gets the schema in the prompt, later at once', async () => {
  const server = await modelServer(
    {
      rules: [
        {
          match: { role: 'json' },
          reply: { status: 400, message: 'response_format json_schema is not supported' },
        },
        { reply: { text: 'Sure!\n```json\n{"score": 0.5}\n```' } },
      ],
    },
    { records: true },
  );
  const door = doorTo(server.url);
  for (const text of ['one', 'two']) {
    expect((await askOf(door, saying(text, { schema: VERDICT }))).text).toContain('{"score": 0.5}');
  }
  expect(server.counts().byStatus).toEqual({ 400: 1, 200: 2 });
  expect(JSON.stringify(server.requests[2]?.body)).toContain('valid against this JSON Schema');
});

test('a provider without usage leaves usage and cost unknown', async () => {
  const server = await modelServer({ rules: [{ reply: { text: 'hi', usage: null } }] });
  const price = { input: 1, output: 1 };
  const answer = await askOf(doorTo(server.url), saying('x', { price }));
  expect([answer.usage, answer.costUsd]).toEqual([undefined, null]);
});

test('cost: the price of this use, else the cost from the endpoint, else the table, else unknown', async () => {
  const usage = { input: 1_000_000, output: 100_000, cacheRead: 500_000 };
  const server = await modelServer({
    rules: [
      { match: { last: 'stated' }, reply: { text: 'hi', usage, cost: 0.25 } },
      { reply: { text: 'hi', usage } },
    ],
  });
  const door = doorTo(server.url);
  const cost = async (text: string, more: Partial<ModelRequest>) =>
    (await askOf(door, saying(text, more))).costUsd;
  const price = { input: 2, output: 10, cacheRead: 1 };
  expect(await cost('stated', { price })).toBe(2.5);
  expect(await cost('stated', {})).toBe(0.25);
  expect(await cost('x', { model: 'openai/gpt-4o' })).toBeCloseTo(0.5 * 2.5 + 0.5 * 1.25 + 0.1 * 10, 9);
  expect(await cost('x', { model: 'openai/never-heard-of' })).toBe(null);
  expect(await cost('x', { model: 'local/gpt-4o' })).toBe(null);
});

test('prices of the config hold for a provider or for one of its models', async () => {
  const price = { input: 3, output: 9 };
  const door = doorTo('http://127.0.0.1:9', {
    providers: {
      one: { baseUrl: 'http://127.0.0.1:9', price },
      many: { baseUrl: 'http://127.0.0.1:9', price: { big: price } },
    },
  });
  expect(await door.priceOf({ model: 'one/any' })).toEqual(price);
  expect(await door.priceOf({ model: 'many/big' })).toEqual(price);
  expect(await door.priceOf({ model: 'many/small' })).toBe(null);
  expect(await door.priceOf({ model: 'many/small', price: { input: 0, output: 0 } })).toEqual({
    input: 0,
    output: 0,
  });
  expect(await door.priceOf({ model: 'openai/gpt-4o' })).toEqual({ input: 2.5, output: 10, cacheRead: 1.25 });
  expect(await door.priceOf({ model: 'anthropic/claude-sonnet-4-5' })).toMatchObject({
    input: 6,
    output: 22.5,
  });
});

test('a provider is asked to be strict when the schema allows nothing else', async () => {
  const server = await modelServer({}, { records: true });
  const door = doorTo(server.url);
  for (const model of ['openai/gpt-4o', 'local/any']) {
    await askOf(door, saying('x', { model, schema: VERDICT }));
    await askOf(door, saying('x', { model, schema: { ...VERDICT, required: ['score'] } }));
  }
  const strict = server.requests.map(({ body }) => /"strict":(true|false)/.exec(JSON.stringify(body))?.[1]);
  expect(strict).toEqual(['true', 'false', 'true', 'false']);
});

test('an address that the first requests cannot reach is not asked again, with one note', async () => {
  await using refusing = await refusingPort();
  const said: string[] = [];
  const door = doorTo(`http://127.0.0.1:${refusing.port}`, { onGone: ({ message }) => said.push(message) });
  const asked = async (role: 'judge' | 'user') => {
    const error: unknown = await askOf(door, saying('hi', { role })).catch((reason: unknown) => reason);
    const { stage, kind, transient, message } = error as MeasurementError;
    return { stage, kind, transient, isAsked: !message.includes('no request sent') };
  };
  const unreached = { stage: 'grading', kind: 'target-unavailable', transient: true, isAsked: true };
  for (let count = 0; count < 3; count++) expect(await asked('judge')).toEqual(unreached);
  expect(await asked('judge')).toEqual({ ...unreached, transient: false, isAsked: false });
  expect(await asked('user')).toEqual({ ...unreached, stage: 'user', transient: false, isAsked: false });
  expect(said).toEqual([expect.stringContaining('local/any: connection failed')]);
});
