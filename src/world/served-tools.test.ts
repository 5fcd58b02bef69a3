import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';

import { LOOKUP, worldOf } from '../../test/support/tool-world.ts';
import type { ToolWorld } from '../core/target.ts';
import { defineWorld } from './define-world.ts';

const { signal } = new AbortController();

/** A program that has started what the world says, as an agent does. */
async function clientOf({ mcp }: ToolWorld): Promise<Client> {
  const [command = '', ...args] = mcp?.command ?? [];
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env: {} }));
  onTestFinished(() => client.close());
  return client;
}

const counter = defineWorld({
  state: () => ({ count: 0 }),
  tools: { count: (_, { state }) => ({ count: ++state.count }) },
});

const plan = {
  tools: [LOOKUP, { name: 'count' }],
  mocks: [
    { tool: 'lookup_order', match: 'any', times: 1, answer: { result: 'AB' } },
    { tool: 'count', match: 'any', answer: { handler: 'count' } },
  ],
  stateful: counter,
} as const;

test('a program sees the tools and shares state and counts with everybody else', async () => {
  const { world } = await worldOf(plan, { servesMcp: true });
  const [one, two] = [await clientOf(world), await clientOf(world)];
  expect((await one.listTools()).tools).toEqual([
    {
      name: 'lookup_order',
      description: 'finds an order',
      inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    },
    { name: 'count', inputSchema: { type: 'object' } },
  ]);
  const text = (said: string) => ({ content: [{ type: 'text', text: said }] });
  expect(await one.callTool({ name: 'count', arguments: {} })).toMatchObject(text('{"count":1}'));
  expect(await world.call({ name: 'count', input: {} }, signal)).toEqual({ output: { count: 2 } });
  expect(await two.callTool({ name: 'count' })).toMatchObject(text('{"count":3}'));
  expect(await two.callTool({ name: 'lookup_order', arguments: { id: 'x' } })).toMatchObject(text('AB'));
  expect(await two.callTool({ name: 'lookup_order', arguments: { id: 1 } })).toMatchObject({ isError: true });
  const inProcess = await worldOf(plan);
  for (let i = 0; i < 3; i++) await inProcess.world.call({ name: 'count', input: {} }, signal);
  expect(world.outcome()).toEqual(inProcess.world.outcome());
  await world[Symbol.asyncDispose]();
});

test('a call that nothing answers gets no answer, and breaks the session', async () => {
  const { world, broken } = await worldOf({ ...plan, mocks: [] }, { servesMcp: true });
  const client = await clientOf(world);
  const asked = client.callTool({ name: 'count' }).then(
    () => 'answered',
    () => 'no answer',
  );
  await expect.poll(() => broken).toMatchObject([{ kind: 'mock-miss' }]);
  await world[Symbol.asyncDispose]();
  expect(await asked).toBe('no answer');
});

test('no socket is left behind', async () => {
  const { world } = await worldOf(plan, { servesMcp: true });
  const path = world.mcp?.command.at(-1) ?? '';
  expect(existsSync(path)).toBe(true);
  await world[Symbol.asyncDispose]();
  expect(existsSync(path)).toBe(false);
});
