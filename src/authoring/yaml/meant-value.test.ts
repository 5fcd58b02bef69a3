import { expect, test } from 'vitest';
import * as z from 'zod';

import { latency } from '../../graders/latency.ts';
import { regex } from '../../graders/regex.ts';
import { configSchema } from '../config/schema.ts';
import { check } from './check.ts';

/** Messages and hints for a value. */
function toldOf(...args: Parameters<typeof check>): readonly (string | undefined)[] {
  return (check(...args).faults ?? []).flatMap(({ message, hint }) => [message, hint]);
}

test('a time with its unit gets its milliseconds, and other texts get the unit', () => {
  expect(toldOf(latency.config, { threshold: '5s' })).toEqual([
    'threshold: expected a number of milliseconds, got "5s"',
    'in milliseconds: 5000',
  ]);
  expect(toldOf(latency.config, { threshold: '5000' })).toEqual([
    'threshold: expected a number of milliseconds, got "5000"',
    'write it without quotes: 5000',
  ]);
  expect(toldOf(latency.config, { threshold: 'fast' })).toEqual([
    'threshold: expected a number of milliseconds, got "fast"',
    undefined,
  ]);
  expect(toldOf(latency.config, {})).toEqual(['`threshold` is missing', undefined]);
});

test('a definition under `target` gets the key `targets`', () => {
  expect(toldOf(configSchema, { target: { a: { type: 'mock' } } })).toEqual([
    'target: expected a text, got a mapping',
    'write the definition under `targets`; `target` is the name of one of them',
  ]);
});

test('an API key in a target gets the variable or the key that names it', () => {
  const model = z.strictObject({ model: z.string() });
  expect(toldOf(model, { model: 'a/b', apiKey: 'x' })).toEqual([
    'unknown key `apiKey`',
    'put the key into an environment variable, such as OPENAI_API_KEY; `models.PROVIDER.apiKeyEnv` names another variable',
  ]);
  const own = model.extend({ apiKeyEnv: z.string().optional() });
  expect(toldOf(own, { model: 'a/b', apiKey: 'x' })).toEqual([
    'unknown key `apiKey`',
    'did you mean `apiKeyEnv`?',
  ]);
});

test('the tests of an eval in a config get the command that runs them', () => {
  expect(toldOf(configSchema, { tests: [] })).toEqual([
    'unknown key `tests`',
    'this is an eval, not a config: run it with `assay run FILE`, without --config',
  ]);
});

test('flags inside an expression get their key', () => {
  expect(toldOf(regex.config, { value: '(?i)hello' })).toEqual([
    expect.stringContaining('value: invalid regular expression: /(?i)hello/'),
    'remove `(?i)` and add `flags: i`',
  ]);
  expect(toldOf(regex.config, { value: '(' })).toEqual([
    expect.stringContaining('value: invalid regular expression: /(/'),
    undefined,
  ]);
});

test('a list of targets gets the form with names', () => {
  expect(toldOf(configSchema, { targets: [{ type: 'mock', response: 'hello' }] })).toEqual([
    'targets: expected a mapping, got a list',
    'give each target a name instead of a dash, such as  mine: { type: mock, response: hello }',
  ]);
});
