import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { temporaryFolder } from '../../test/contracts/target.ts';
import { modelServer } from '../../test/support/model-server.ts';
import { fence, nonceOf } from '../graders/judge/fence.ts';
import { noModels } from '../../test/support/no-models.ts';
import type { ModelDoor, ModelRequest } from '../core/model.ts';
import { createRedactor } from '../lib/redact/redact.ts';
import { withCassette, type CassetteMode } from './cassette.ts';
import { askOf, doorTo, saying } from './door.fixture.ts';

const SECRET = 'hunter2-hunter2';

function tape(directory: string, mode: CassetteMode, door: ModelDoor = noModels): ModelDoor {
  return withCassette(door, {
    directory,
    mode,
    redact: createRedactor({ environment: { MY_TOKEN: SECRET } }).json,
  });
}

test('a recorded answer is replayed without a call: same answer and tokens, without time, requests or cost', async () => {
  const folder = temporaryFolder();
  const server = await modelServer({
    rules: [{ reply: { text: 'hi', thinking: 'hm', usage: { input: 5, output: 2 } } }],
  });
  const price = { input: 1, output: 1 };
  const request = saying('hello', { price, role: 'judge', schema: { type: 'object' } });
  const live = await askOf(tape(folder, 'record', doorTo(server.url)), request);
  const replayed = await askOf(tape(folder, 'replay'), request);
  expect([live.costUsd, live.usage?.totalTokens]).toEqual([0.000007, 7]);
  expect(replayed).toEqual({ ...live, costUsd: 0, durationMs: 0, waitedMs: 0, requests: 0 });
  expect(server.counts().total).toBe(1);
});

test('record always asks, auto asks only for missing answers', async () => {
  const folder = temporaryFolder();
  const server = await modelServer();
  const live = doorTo(server.url);
  for (const [mode, text, total] of [
    ['record', 'one', 1],
    ['record', 'one', 2],
    ['auto', 'one', 2],
    ['auto', 'two', 3],
    ['auto', 'two', 3],
  ] as const) {
    await askOf(tape(folder, mode, live), saying(text));
    expect([mode, text, server.counts().total]).toEqual([mode, text, total]);
  }
  expect(readdirSync(folder).length).toBe(2);
});

test('a file is readable, private and without secrets; a secret does not change its key', async () => {
  const folder = temporaryFolder();
  const server = await modelServer();
  await askOf(tape(folder, 'record', doorTo(server.url)), saying(`my password is ${SECRET}`));
  const [file = ''] = readdirSync(folder);
  expect(file).toMatch(/^local-any-[0-9a-f]{16}\.json$/);
  const text = readFileSync(join(folder, file), 'utf8');
  expect(text).not.toContain(SECRET);
  expect(text).toContain('\n  "request": {\n    "model": "local/any",\n    "repetition": 1,\n');
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  const replayed = await askOf(tape(folder, 'replay'), saying('my password is [redacted:MY_TOKEN]'));
  expect(replayed.text).toBe('You said: my password is [redacted:MY_TOKEN]');
});

describe('everything that can change an answer is part of the key', () => {
  const base = saying('hello', {
    tools: [{ name: 'a' }],
    temperature: 0,
    schema: { type: 'object' },
    maxOutputTokens: 9,
  });
  const others: Readonly<Record<string, Partial<ModelRequest>>> = {
    model: { model: 'local/other' },
    address: { baseUrl: 'http://127.0.0.1:1/v1' },
    messages: { messages: [...base.messages, { role: 'assistant', text: 'x' }] },
    tools: { tools: [{ name: 'b' }] },
    temperature: { temperature: 1 },
    schema: { schema: { type: 'object', properties: {} } },
    'output tokens': { maxOutputTokens: 10 },
    repetition: { repetition: 2 },
    sample: { sample: 2 },
  };
  test.each(Object.keys(others))('%s', async (what) => {
    const folder = temporaryFolder();
    const door: ModelDoor = { ...noModels, ask: async () => ANSWER };
    await askOf(tape(folder, 'record', door), base);
    const replay = tape(folder, 'replay');
    await expect(askOf(replay, { ...base, ...others[what] })).rejects.toMatchObject({
      code: 'cassette-miss',
    });
    expect(
      await askOf(replay, { ...base, role: 'judge', timeoutMs: 5, price: { input: 1, output: 1 } }),
    ).toMatchObject({ text: 'kept' });
  });
});

test('a miss names the nearest recorded request and what differs', async () => {
  const folder = temporaryFolder();
  const door: ModelDoor = { ...noModels, ask: async () => ANSWER };
  const long = 'You are a judge of answers about orders, and strict about numbers. ';
  for (const text of ['a wholly different thing', `${long}Score it from 0 to 1.`]) {
    await askOf(tape(folder, 'record', door), saying(text));
  }
  const asked = saying(`${long}Score it from 0 to 5.`, { temperature: 0 });
  const error = (await askOf(tape(folder, 'replay'), asked).catch((thrown: unknown) => thrown)) as Error;
  expect(error).toMatchObject({
    stage: 'target',
    kind: 'target-unavailable',
    code: 'cassette-miss',
    transient: false,
  });
  expect(error.message.split('\n').slice(1)).toEqual([
    '  messages[0].parts[0].text: recorded ..." Score it from 0 to 1.", asked ..." Score it from 0 to 5." (from character 87)',
    '  temperature: asked with 0, recorded without',
  ]);
});

test('a miss about other material names what differs in it, and not the mark that follows from it', async () => {
  const folder = temporaryFolder();
  const door: ModelDoor = { ...noModels, ask: async () => ANSWER };
  const judging = (question: string, answer: string) => {
    const lines = [question, answer].map((value) => ({ label: 'text', value }));
    const nonce = nonceOf(lines);
    const system = {
      role: 'system',
      text: `You judge what stands between two lines with the mark ${nonce}.`,
    } as const;
    const parts = [{ text: `${fence(lines, nonce)}\n\nThe material ends here.` }];
    return saying('', { messages: [system, { role: 'user', parts }] });
  };
  const asked = 'How long is the warranty of the red kettle?';
  for (const [question, answer] of [
    ['How long is a day?', 'It is 3 years long.'],
    [asked, 'It is two years long.'],
    ['How long is a year?', 'It is 3 years long.'],
  ] as const) {
    await askOf(tape(folder, 'record', door), judging(question, answer));
  }
  const missed = askOf(tape(folder, 'replay'), judging(asked, 'It is 3 years long.'));
  const error = (await missed.catch((thrown: unknown) => thrown)) as Error;
  expect(error.message.split('\n').slice(1)).toEqual([
    expect.stringMatching(
      /^ {2}messages\[1\]\.parts\[0\]\.text: recorded .*It is two years long.*, asked .*It is 3 years long/,
    ),
  ]);
});

test('auto asks again when the recorded answer is unusable, replay never does', async () => {
  const folder = temporaryFolder();
  const answers = ['spoilt', 'spoilt', 'well'];
  const door: ModelDoor = { ...noModels, ask: async () => ({ ...ANSWER, text: answers.shift() ?? 'none' }) };
  const request = saying('x', { isUsable: ({ text }) => text === 'well' });
  const texts = [];
  for (const mode of ['auto', 'auto', 'replay', 'auto', 'auto', 'replay'] as const) {
    texts.push((await askOf(tape(folder, mode, door), request)).text);
  }
  expect(texts).toEqual(['spoilt', 'spoilt', 'spoilt', 'well', 'well', 'well']);
  expect(readdirSync(folder).length).toBe(1);
});

test('only the first misses look for the nearest recording: a stale cassette would be read whole for each', async () => {
  const folder = temporaryFolder();
  const door: ModelDoor = { ...noModels, ask: async () => ANSWER };
  await askOf(tape(folder, 'record', door), saying('kept'));
  const replay = tape(folder, 'replay');
  const misses = Array.from({ length: 21 }, async (_, i) => {
    const error = await askOf(replay, saying(`another ${i}`)).catch((thrown: unknown) => thrown);
    return (error as Error).message
      .split('\n')[0]
      ?.replace(/the nearest recorded request is .*/, 'the nearest');
  });
  const missed = `no recorded answer for local/any in the cassette ${folder}:`;
  expect((await Promise.all(misses)).toSorted()).toEqual([
    `${missed} the first 20 of these errors show the nearest recorded request`,
    ...Array.from({ length: 20 }, () => `${missed} the nearest`),
  ]);
});

test('an empty cassette has its own message, and a broken file is an error with its name', async () => {
  const folder = temporaryFolder();
  await expect(askOf(tape(folder, 'replay'), saying('x'))).rejects.toThrow('the cassette is empty');
  const door: ModelDoor = { ...noModels, ask: async () => ANSWER };
  await askOf(tape(folder, 'record', door), saying('x'));
  const [file = ''] = readdirSync(folder);
  writeFileSync(join(folder, file), '{"format": 1, "requ');
  await expect(askOf(tape(folder, 'auto', door), saying('x'))).rejects.toMatchObject({
    code: 'cassette-broken',
    message: `the cassette cannot be read: ${join(folder, file)} is not a recorded call in format 1`,
  });
});

test('errors are not recorded', async () => {
  const folder = temporaryFolder();
  const server = await modelServer({ rules: [{ reply: { status: 400, message: 'no' } }] });
  await expect(askOf(tape(folder, 'auto', doorTo(server.url)), saying('x'))).rejects.toMatchObject({
    code: 'http-400',
  });
  expect(readdirSync(folder)).toEqual([]);
});

const ANSWER = {
  text: 'kept',
  toolCalls: [],
  finishReason: 'stop',
  model: 'local/any',
  costUsd: null,
  durationMs: 1,
  waitedMs: 0,
  requests: 1,
} as const;
