import { describe, expect, test } from 'vitest';

import { timeOf } from '../../test/support/held-time.ts';
import { LOOKUP, worldOf } from '../../test/support/tool-world.ts';
import type { ToolMock } from '../core/test-case.ts';
import type { JsonValue } from '../lib/json.ts';

const { signal } = new AbortController();
const tool = 'lookup_order';
const call = (input: JsonValue = {}) => ({ name: tool, input });
const mock = (result: JsonValue, more: Partial<ToolMock> = {}): ToolMock => ({
  tool,
  match: 'any',
  answer: { result },
  ...more,
});

describe('mocks', () => {
  test('the first in order that has uses left answers; then nothing does, and the session is over', async () => {
    const { world, broken } = await worldOf({ mocks: [mock('A', { times: 1 }), mock('B', { times: 1 })] });
    const answers = [await world.call(call(), signal), await world.call(call(), signal)];
    expect(answers).toEqual([{ output: 'A' }, { output: 'B' }]);
    const miss = {
      stage: 'world',
      kind: 'mock-miss',
      message: 'no mock matches the call lookup_order({}); nearest: mock 1 is used up, mock 2 is used up',
    };
    await expect(world.call(call(), signal)).rejects.toMatchObject(miss);
    expect(broken).toMatchObject([miss]);
    await expect(world.call({ name: 'other', input: {} }, signal)).rejects.toMatchObject(miss);
  });

  test('a miss names the mocks that come nearest, with the paths that differ', async () => {
    const params = (id: string, more = {}) => ({ match: 'partial', params: { id, ...more } }) as const;
    const { world } = await worldOf({
      mocks: [
        mock(1, params('X', { a: { b: 1 }, c: 2 })),
        mock(2, params('X')),
        mock(3, params('Z', { a: 1 })),
        mock(4, params('W')),
      ],
    });
    await expect(world.call(call({ id: 'Y' }), signal)).rejects.toMatchObject({
      message:
        'no mock matches the call lookup_order({"id":"Y"}); nearest: mock 2 differs at id, mock 4 differs at id, mock 3 differs at id, a',
    });
  });

  test('a tool without any mock has its own message', async () => {
    const { world } = await worldOf();
    await expect(world.call(call(), signal)).rejects.toMatchObject({
      message: 'no mock matches the call lookup_order({}); no mock answers the tool lookup_order',
    });
  });

  test('an error is an answer', async () => {
    const error = { code: 'not_found', message: 'No such order' };
    const { world } = await worldOf({ mocks: [{ tool, match: 'any', answer: { error } }] });
    expect(await world.call(call(), signal)).toEqual({ output: { error }, failed: true });
  });

  test('unknown tools and wrong arguments are answered with an error, and the agent continues', async () => {
    const { world, broken } = await worldOf({ mocks: [mock('A')] });
    expect(await world.call({ name: 'refund', input: {} }, signal)).toEqual({
      output: {
        error: { code: 'unknown_tool', message: 'unknown tool refund; known tools: lookup_order' },
      },
      failed: true,
    });
    expect(await world.call(call({ id: 5 }), signal)).toEqual({
      output: {
        error: { code: 'invalid_arguments', message: 'invalid arguments: /id must be string' },
      },
      failed: true,
    });
    expect(await world.call(call('x'), signal)).toMatchObject({
      output: { error: { message: 'invalid arguments: expected a JSON object' } },
    });
    expect([await world.call(call({ id: 'x' }), signal), broken]).toEqual([{ output: 'A' }, []]);
  });

  test('arguments that are not a mapping match only `any`', async () => {
    const plan = { tools: [{ name: tool }] };
    const some = await worldOf({ ...plan, mocks: [mock('A', { match: 'partial', params: {} })] });
    await expect(some.world.call(call([1]), signal)).rejects.toMatchObject({ kind: 'mock-miss' });
    const any = await worldOf({ ...plan, mocks: [mock('A')] });
    expect(await any.world.call(call([1]), signal)).toEqual({ output: 'A' });
  });

  test('a terminating tool needs no mock', async () => {
    const { world } = await worldOf({ tools: [{ name: 'hand_over', terminating: true }] });
    expect(world.ended()).toBeUndefined();
    expect(await world.call({ name: 'hand_over', input: {} }, signal)).toEqual({
      output: {},
      terminates: true,
    });
    expect(world.ended()).toBe('hand_over');
  });

  test('parameters that are not a JSON Schema are an error of the world', async () => {
    const { world } = await worldOf({ tools: [{ name: tool, parameters: { type: 'objekt' } }] });
    await expect(world.call(call(), signal)).rejects.toMatchObject({
      stage: 'world',
      kind: 'mock-crash',
      detail: 'tool-schema',
    });
  });
});

describe('faults', () => {
  test('a refused call uses up no mock, and the next one gets it', async () => {
    const faults = [{ tool, kind: 'http-5xx', onCall: 1 }] as const;
    const { world } = await worldOf({ mocks: [mock('A', { times: 1 })], faults });
    expect(await world.call(call(), signal)).toEqual({
      output: { error: { code: 'http_error', message: 'Service Unavailable', status: 503 } },
      failed: true,
    });
    expect(await world.call(call(), signal)).toEqual({ output: 'A' });
  });

  test('a timeout holds the call and then fails it', async () => {
    const faults = [{ tool, kind: 'timeout', onCall: 1, delayMs: 30 }] as const;
    const { world } = await worldOf({ faults });
    const calling = async () => {
      expect(await world.call(call(), signal)).toEqual({
        output: { error: { code: 'timeout', message: 'the tool timed out' } },
        failed: true,
      });
    };
    expect(await timeOf(calling)).toBe(30);
  });

  test('malformed is the first half of the true answer, slow is the true answer, later', async () => {
    const faults = [
      { tool, kind: 'malformed', onCall: 1 },
      { tool, kind: 'slow', onCall: 2, delayMs: 1 },
    ] as const;
    const { world } = await worldOf({ mocks: [mock({ status: 'ok' })], faults });
    expect(await world.call(call(), signal)).toEqual({ output: '{"statu' });
    expect(await world.call(call(), signal)).toEqual({ output: { status: 'ok' } });
  });

  test('the agent gets no mark of a fault; recalling has it, once for each call', async () => {
    const faults = [{ tool, kind: 'malformed', onCall: 2 }] as const;
    const { world } = await worldOf({ mocks: [mock('AB')], faults });
    for (const id of ['x', 'y']) await world.call(call({ id }), signal);
    const marks = ['y', 'x', 'x'].map((id) => world.recall(call({ id }))?.fault);
    expect(marks).toEqual(['malformed', undefined, undefined]);
    expect(world.recall(call({ id: 'y' }))).toBeUndefined();
  });

  test('a call that its caller cancels is not an error of the world', async () => {
    const faults = [{ tool, kind: 'timeout', onCall: 1 }] as const;
    const { world, broken } = await worldOf({ mocks: [mock('A')], faults });
    const caller = new AbortController();
    const asked = world.call(call(), caller.signal);
    caller.abort(new Error('never mind'));
    await expect(asked).rejects.toThrow('never mind');
    expect([broken, await world.call(call(), signal)]).toEqual([[], { output: 'A' }]);
  });
});

test('names are known with the name of the server in front, as agents write them', async () => {
  const { world } = await worldOf({ tools: [LOOKUP] });
  const written = ['mcp__tools__lookup_order', 'tools.lookup_order', 'tools-lookup_order', tool];
  expect(written.map(world.nameOf)).toEqual([tool, tool, tool, tool]);
  expect(world.nameOf('mcp__tools__other')).toBe('mcp__tools__other');
});
