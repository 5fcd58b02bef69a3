import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { TestCase } from '../../core/test-case.ts';
import { loadYamlSuites } from './load.ts';
import { casesOf, contextOf } from './project.fixture.ts';

const folder = join(import.meta.dirname, 'fixtures/seed');

async function cases(name: string): Promise<readonly TestCase[]> {
  const { suites, problems } = await loadYamlSuites([join(folder, `${name}.yaml`)], contextOf(folder));
  expect(problems).toEqual([]);
  return suites.flatMap(casesOf);
}

function user(text: string) {
  return { role: 'user', parts: [{ text }] };
}

const judge = { name: 'llm_judge', type: 'llm_judge', weight: 1, config: {} };

test('every snippet of the seed loads', async () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const { suites, problems } = await loadYamlSuites(
    files.map((name) => join(folder, name)),
    contextOf(folder),
  );
  expect(problems).toEqual([]);
  expect(suites.map(({ id, name, cases: list }) => [id, name, list.length])).toEqual([
    ['basic.yaml', 'basic', 1],
    ['deterministic.yaml', 'deterministic', 1],
    ['execution-overrides.yaml', 'execution-overrides', 1],
    ['message-array.yaml', 'message-array', 1],
    ['metadata.yaml', 'metadata', 1],
    ['required-gates.yaml', 'required-gates', 1],
    ['rubrics.yaml', 'rubrics', 1],
    ['sidecar-metadata.yaml', 'sidecar-metadata', 1],
    ['skip-defaults.yaml', 'skip-defaults', 2],
    ['workspace.yaml', 'workspace', 2],
  ]);
});

test('a text is one message, and without evaluators a judge looks at the criteria', async () => {
  expect(await cases('basic')).toEqual([
    {
      id: 'addition',
      source: { file: 'basic.yaml', line: 2 },
      directory: folder,
      tags: [],
      input: [user('What is 15 + 27?')],
      criteria: 'Correctly calculates 15 + 27 = 42',
      expectedOutput: [{ role: 'assistant', parts: [{ text: '42' }] }],
      expectations: [judge],
    },
  ]);
});

test('message arrays keep their roles', async () => {
  const [only] = await cases('message-array');
  expect(only?.input).toEqual([
    { role: 'system', parts: [{ text: 'You are a helpful math tutor.' }] },
    user('What is 15 + 27?'),
  ]);
  expect(only?.expectedOutput).toEqual([{ role: 'assistant', parts: [{ text: '42' }] }]);
});

test('a test overrides the target and brings evaluators', async () => {
  const [only] = await cases('execution-overrides');
  expect(only?.targets).toEqual(['gpt4_target']);
  expect(only?.expectations).toEqual([
    { name: 'depth_check', type: 'llm_judge', weight: 1, config: { prompt: './judges/depth.md' } },
  ]);
});

test('root-level evaluators are appended unless skip_defaults', async () => {
  const [normal, special] = await cases('skip-defaults');
  expect(normal?.expectations).toEqual([
    { name: 'latency_check', type: 'latency', weight: 1, config: { threshold: 5000 } },
  ]);
  expect(special?.expectations).toEqual([{ ...judge, name: 'custom_eval' }]);
});

test('a workspace field of a test replaces that of the suite', async () => {
  const [first, second] = await cases('workspace');
  expect(first?.workspace).toEqual({ setup: { script: ['bun', 'run', 'custom-setup.ts'], cwd: folder } });
  expect(second?.workspace).toEqual({ setup: { script: ['bun', 'run', 'default-setup.ts'], cwd: folder } });
});

test('metadata and sidecar are passed on as they are', async () => {
  const [withMetadata] = await cases('metadata');
  expect(withMetadata?.metadata).toEqual({ repo: 'sympy/sympy', base_commit: 'abc123def' });
  expect(withMetadata?.workspace).toEqual({ setup: { script: ['python', 'checkout_repo.py'], cwd: folder } });
  const [withSidecar] = await cases('sidecar-metadata');
  expect(withSidecar?.sidecar).toEqual({ language: 'python', difficulty: 'medium' });
});

test('assertions get names from their type and value', async () => {
  const [only] = await cases('deterministic');
  expect(only?.expectations).toEqual([
    { name: 'is_json', type: 'is_json', weight: 1, config: {} },
    { name: 'contains-"status"', type: 'contains', weight: 1, config: { value: '"status"' } },
  ]);
});

test('rubrics keep their items, and required is a gate of 0.8 or of the number', async () => {
  const [denied] = await cases('rubrics');
  expect(denied?.expectations).toEqual([
    { name: 'contains-DENIED', type: 'contains', weight: 1, required: 0.8, config: { value: 'DENIED' } },
    {
      name: 'rubrics',
      type: 'rubrics',
      weight: 1,
      config: {
        criteria: [
          { id: 'accuracy', outcome: 'Correctly identifies the denied party', weight: 5 },
          { id: 'reasoning', outcome: 'Provides clear reasoning for the decision', weight: 3 },
        ],
      },
    },
  ]);
  const [gated] = await cases('required-gates');
  expect(gated?.expectations.map(({ name, required }) => [name, required])).toEqual([
    ['contains-DENIED', 0.8],
    ['rubrics', 0.6],
  ]);
});
