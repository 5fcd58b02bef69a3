import { describe, expect, test } from 'vitest';

import { worldOf } from '../../test/support/tool-world.ts';
import { digestOf } from '../lib/digest.ts';
import { defineWorld, ToolError } from './define-world.ts';

const { signal } = new AbortController();

const shop = defineWorld({
  state: () => ({
    orders: { A: { refunded: false } } as Record<string, { refunded: boolean }>,
    log: [] as number[],
  }),
  tools: {
    refunds({ id }, { state, call, random, now }) {
      const order = state.orders[String(id)];
      if (order === undefined) throw new ToolError('not_found', `no order ${String(id)}`);
      order.refunded = true;
      state.log.push(call);
      return { call, random: random(), now: now() };
    },
    crashes() {
      throw new TypeError('oops');
    },
    answersAFunction: () => () => {},
    nothing() {},
  },
});

const opened = (tool: string, services = {}) =>
  worldOf(
    {
      tools: [{ name: 'refund' }],
      mocks: [{ tool: 'refund', match: 'any', answer: { handler: tool } }],
      stateful: shop,
    },
    services,
  );
const refund = (id: string) => ({ name: 'refund', input: { id } });

test('tools share a state of their own attempt; it is left with a digest and what changed', async () => {
  const { world, kept } = await opened('refunds');
  await world.call(refund('A'), signal);
  expect(await world.call(refund('B'), signal)).toEqual({
    output: { error: { code: 'not_found', message: 'no order B' } },
    failed: true,
  });
  const state = { orders: { A: { refunded: true } }, log: [1] };
  const outcome = {
    state,
    digest: digestOf(state),
    difference: [
      { path: ['log', 0], after: 1 },
      { path: ['orders', 'A', 'refunded'], before: false, after: true },
    ],
  };
  expect(world.outcome()).toEqual(outcome);
  await world[Symbol.asyncDispose]();
  expect(JSON.parse(kept['world.json'] ?? '')).toEqual(outcome);
  expect((await opened('refunds')).world.outcome()?.difference).toEqual([]);
});

test('random numbers depend only on seed, case, repetition and call', async () => {
  const answers = async (repetition: number) => {
    const { world } = await opened('refunds', { draw: { seed: 7, caseDigest: 'case-a', repetition } });
    return [await world.call(refund('A'), signal), await world.call(refund('A'), signal)];
  };
  const [one, again, other] = [await answers(1), await answers(1), await answers(2)];
  expect(one).toEqual(again);
  expect(one).not.toEqual(other);
  expect(one[0]).not.toEqual(one[1]);
});

test('anything but a tool error that is thrown ends the attempt', async () => {
  const { world, broken } = await opened('crashes');
  await expect(world.call(refund('A'), signal)).rejects.toMatchObject({
    stage: 'world',
    kind: 'mock-crash',
    message: "the world's tool crashes failed: oops",
  });
  expect(broken).toHaveLength(1);
});

test('an answer that JSON cannot hold ends the attempt, nothing is null', async () => {
  const { world } = await opened('answersAFunction');
  await expect(world.call(refund('A'), signal)).rejects.toMatchObject({
    kind: 'mock-crash',
    message:
      'the answer of answersAFunction cannot be represented as JSON: expected a JSON value, got a function',
  });
  expect(await (await opened('nothing')).world.call(refund('A'), signal)).toEqual({ output: null });
});

test('a state that cannot be made ends the attempt before it begins', async () => {
  const state = () => {
    throw new Error('no shop today');
  };
  await expect(worldOf({ stateful: defineWorld({ state, tools: {} }) })).rejects.toMatchObject({
    stage: 'world',
    kind: 'mock-crash',
    message: 'the state of the world could not be created: no shop today',
  });
});

const EXITS = 'process.exit(0) was called, which would end assay and everything it measures';

function swallowsExit(): object {
  try {
    process.exit(0);
  } catch {
    return {};
  }
}

describe('process.exit', () => {
  test.each([() => process.exit(0), swallowsExit])('in a tool ends the attempt: %s', async (run) => {
    const { world, broken } = await worldOf({
      tools: [{ name: 'refund' }],
      mocks: [{ tool: 'refund', match: 'any', answer: { handler: 'exits' } }],
      stateful: defineWorld({ state: () => ({}), tools: { exits: run } }),
    });
    const refused = {
      stage: 'world',
      kind: 'mock-crash',
      message: `the world's tool exits failed: ${EXITS}`,
    };
    await expect(world.call(refund('A'), signal)).rejects.toMatchObject(refused);
    expect(broken).toMatchObject([refused]);
    await expect(world.call(refund('B'), signal)).rejects.toMatchObject(refused);
    await world[Symbol.asyncDispose]();
  });

  test.each([() => process.exit(0), swallowsExit])(
    'where the state is made ends the attempt before it begins: %s',
    async (state) => {
      await expect(worldOf({ stateful: defineWorld({ state, tools: {} }) })).rejects.toMatchObject({
        kind: 'mock-crash',
        message: `the state of the world could not be created: ${EXITS}`,
      });
    },
  );

  test('while the state is serialised at the end ends the attempt', async () => {
    const state = () => ({ toJSON: (): object => (isOver ? process.exit(0) : {}) });
    let isOver = false;
    const { world } = await worldOf({ stateful: defineWorld({ state, tools: {} }) });
    isOver = true;
    expect(() => world.outcome()).toThrow(`the state of the world cannot be represented as JSON: ${EXITS}`);
    await world[Symbol.asyncDispose]();
  });
});
