import { Ajv } from 'ajv';
import * as z from 'zod';
import { expect, it } from 'vitest';

import type { TargetPlugin } from '../../core/plugin.ts';
import { configJsonSchema } from './config-json-schema.ts';
import { defineConfig } from './define-config.ts';
import { PLUGINS } from './scratch.fixture.ts';

const either: TargetPlugin = {
  type: 'either',
  version: 1,
  summary: 'takes one of two forms',
  config: z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })]),
  create: () => {
    throw new Error('nothing is started here');
  },
};

it('accepts and refuses the same configs as the loader', () => {
  const schema = configJsonSchema(new Map([...PLUGINS, [either.type, either]]));
  const validate = new Ajv({ strict: false, logger: false }).compile(schema);
  const good = defineConfig({
    $schema: './schema.json',
    target: 'support',
    targets: {
      support: {
        type: 'http',
        url: 'http://127.0.0.1:8700',
        headers: { authorization: 'Bearer ${{ SUPPORT_KEY }}' },
      },
      gpt4_target: { type: 'model', model: 'openai/gpt-4o', maxParallel: 8 },
      one: { type: 'either', a: 'x', passEnv: ['A'] },
    },
    judge: { model: 'anthropic/claude-sonnet-4-5', passThreshold: 80 },
    run: { limits: { timeoutMs: null }, workspace: { mode: 'isolated', templateDir: './app' } },
  });
  expect([validate(good), validate.errors]).toEqual([true, null]);
  const bad = [
    { taget: 'x' },
    { targets: { a: { type: 'mok', response: 'x' } } },
    { targets: { a: { type: 'mock' } } },
    { targets: { a: { type: 'either', a: 'x', b: 'y' } } },
    { targets: { a: { type: 'mock', response: 'x', maxParallel: 'two' } } },
    { runners: { a: { type: 'mock' } } },
    { judge: { temperature: 0 } },
    { user: { model: 'a/b', target: 'support' } },
  ];
  expect(bad.map((config) => validate(config))).toEqual(bad.map(() => false));
  expect(validate({ runners: { a: { agent: { type: 'codex', model: 'm' } } } })).toBe(true);
});

it('keeps the definitions of each target, whatever their names are elsewhere', () => {
  const recursive: TargetPlugin = {
    ...either,
    type: 'recursive',
    config: z.strictObject({ input: z.json() }),
  };
  const other: TargetPlugin = { ...either, type: 'other', config: z.strictObject({ tree: z.json() }) };
  const schema = configJsonSchema(new Map([recursive, other].map((plugin) => [plugin.type, plugin])));
  const validate = new Ajv({ strict: false, logger: false }).compile(schema);
  expect(
    validate({
      targets: { a: { type: 'recursive', input: { a: [1] } }, b: { type: 'other', tree: [null] } },
    }),
  ).toBe(true);
});
