import { expect, test } from 'vitest';
import * as z from 'zod';

import { servicesOf, targetContract } from '../../test/contracts/target.ts';
import type { TargetServices } from '../core/plugin.ts';
import type { Target } from '../core/target.ts';
import type { TranscriptEntry } from '../core/transcript.ts';
import { json, say, serve } from '../../test/contracts/scripted-agent.ts';
import { targets } from './index.ts';

function create(type: string, config: unknown, services: Partial<TargetServices> = {}): Target {
  const plugin = targets.find((candidate) => candidate.type === type);
  if (plugin === undefined) throw new Error(`no target of type ${type}`);
  return plugin.create(plugin.config.parse(config), servicesOf(services));
}

targetContract('mock', {
  answering: () => create('mock', { response: 'Hi', toolCalls: [{ name: 'look', output: 1 }] }),
  hanging: () => create('mock', { response: 'Hi', delayMs: 600_000 }),
});

targetContract('replay', {
  answering: () =>
    create('replay', { run: 'latest' }, { storedRun: async () => ({ transcript: async () => STORED }) }),
});

targetContract('cli', {
  answering: () => create('cli', { command: ['cat'] }),
  hanging: () => create('cli', { command: 'sleep 60 & sleep 60' }),
});

targetContract('cli with a stream', {
  answering: () =>
    create('cli', {
      command: ['printf', '%s', JSON.stringify({ type: 'message', parts: [{ text: 'Hi' }] })],
      stream: 'jsonl',
    }),
  hanging: () => create('cli', { command: ['sleep', '60'], stream: 'jsonl' }),
});

targetContract('http', {
  answering: async () => create('http', { url: (await serve((response) => json(response, say('Hi')))).url }),
  hanging: async () => create('http', { url: (await serve(() => {})).url }),
});

test('every type is listed once', () => {
  expect(targets.map(({ type }) => type).sort()).toEqual(
    [...new Set(targets.map(({ type }) => type))].sort(),
  );
});

test.each(targets.map(({ type, config }) => [type, config] as const))(
  'the configuration of %s has a JSON Schema that refuses unknown keys',
  (_type, config) => {
    const schema = z.toJSONSchema(config, { io: 'input', unrepresentable: 'any', target: 'draft-7' });
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
  },
);

const STORED: readonly TranscriptEntry[] = (['user', 'assistant', 'user', 'assistant'] as const).map(
  (role, index) => ({
    id: `e${index + 1}`,
    at: '2025-01-01T00:00:00.000Z',
    turn: index + 1,
    type: 'message',
    role,
    parts: [{ text: `${role} ${index + 1}` }],
  }),
);
