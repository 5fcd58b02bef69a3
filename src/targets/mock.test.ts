import { expect, test } from 'vitest';

import { ask, servicesOf, worldOf } from '../../test/contracts/target.ts';
import { timeOf } from '../../test/support/held-time.ts';
import { mock } from './mock.ts';

const { signal } = new AbortController();

async function open(config: unknown, caseId = 'case') {
  const target = mock.create(mock.config.parse(config), servicesOf({ name: 'fake' }));
  return await target.open(worldOf({ caseId }), signal);
}

test('a mock gives its response in every turn', async () => {
  const session = await open({ response: 'Hi' });
  const answer = { type: 'message', role: 'assistant', parts: [{ text: 'Hi' }] };
  expect(await ask(session, 'a')).toEqual({ entries: [answer], end: {} });
  expect(await ask(session, 'b')).toEqual({ entries: [answer], end: {} });
});

test('a list is one answer a turn, the last one again and again', async () => {
  const session = await open({ response: ['first', { n: 2 }] });
  const said = [];
  for (const question of ['a', 'b', 'c']) said.push(...(await ask(session, question)).entries);
  expect(said).toEqual([
    { type: 'message', role: 'assistant', parts: [{ text: 'first' }] },
    { type: 'message', role: 'assistant', parts: [{ json: { n: 2 } }] },
    { type: 'message', role: 'assistant', parts: [{ json: { n: 2 } }] },
  ]);
});

test('a response by test id overrides the default, and inherited names are not ids', async () => {
  const config = { response: 'default', responses: { greet: 'by id' } };
  expect((await ask(await open(config, 'greet'), 'x')).entries).toEqual([
    { type: 'message', role: 'assistant', parts: [{ text: 'by id' }] },
  ]);
  expect((await ask(await open(config, 'constructor'), 'x')).entries).toEqual([
    { type: 'message', role: 'assistant', parts: [{ text: 'default' }] },
  ]);
});

test('a test without a response errors with a hint where to write one', async () => {
  const session = await open({ responses: { greet: 'Hi' } }, 'bye');
  await expect(ask(session, 'x')).rejects.toMatchObject({
    stage: 'target',
    kind: 'target-unavailable',
    transient: false,
    message: 'the mock target fake has no response for the test "bye"',
    hint: 'add it to targets.fake.responses, or give a default in targets.fake.response',
  });
});

test('tool calls come before the answer, with a result if one is given', async () => {
  const session = await open({
    response: 'done',
    toolCalls: [{ name: 'search', input: { q: 1 }, output: ['hit'] }, { name: 'stop' }],
  });
  expect((await ask(session, 'x')).entries).toEqual([
    { type: 'tool-call', callId: 'call-1-1', name: 'search', input: { q: 1 } },
    { type: 'tool-result', callId: 'call-1-1', output: ['hit'] },
    { type: 'tool-call', callId: 'call-1-2', name: 'stop', input: {} },
    { type: 'message', role: 'assistant', parts: [{ text: 'done' }] },
  ]);
});

test('the delay is kept before the answer', async () => {
  const session = await open({ response: 'late', delayMs: 60 });
  expect(await timeOf(() => ask(session, 'x'))).toBe(60);
});

test('a mock without any answer is a problem of the configuration', () => {
  expect(mock.config.safeParse({ delayMs: 5 }).error?.issues).toMatchObject([
    { message: 'needs `response`, or `responses` by test id' },
  ]);
});
