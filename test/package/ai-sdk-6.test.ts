import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, inject, onTestFinished, test } from 'vitest';

import { install, projectWithAiSdk6, scratchFolder, shell } from '../docs/packed.ts';
import { modelServer } from '../support/model-server.ts';

const MODELS = {
  openai: { base: '/v1', model: 'openai/any' },
  anthropic: { base: '/v1', model: 'anthropic/any' },
  google: { base: '/v1beta', model: 'google/any' },
  local: { base: '/v1', model: 'local/any' },
};

test('beside AI SDK 6 it installs, and asks models through the providers of that version', async () => {
  const scratch = scratchFolder();
  onTestFinished(() => scratch[Symbol.dispose]());
  const project = projectWithAiSdk6(join(scratch.path, 'project'));
  await install(inject('tarball'), project);
  const versionOf = (name: string) =>
    (
      JSON.parse(readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8')) as {
        version: string;
      }
    ).version;
  expect(
    ['ai', '@ai-sdk/openai', '@ai-sdk/openai-compatible'].map((name) => versionOf(name).split('.')[0]),
  ).toEqual(['6', '3', '2']);
  expect(existsSync(join(project, 'node_modules/assay/node_modules'))).toBe(false);
  const server = await modelServer({
    rules: [{ reply: { text: 'shipped', usage: { input: 20, output: 3 } } }],
  });
  const write = (name: string, content: object) =>
    writeFileSync(join(project, name), JSON.stringify(content));
  const models = Object.entries(MODELS).map(([name, { base }]) => [
    name,
    { baseUrl: server.url + base, apiKeyEnv: 'TEST_API_KEY', price: { input: 1, output: 1 } },
  ]);
  const targets = Object.entries(MODELS).flatMap(([name, { model }]) => [
    [name, { type: 'model', model }],
    [`${name}-streamed`, { type: 'model', model, stream: true }],
  ]);
  write('assay.config.json', { models: Object.fromEntries(models), targets: Object.fromEntries(targets) });
  write('case.eval.yaml', {
    execution: { targets: targets.map(([name]) => name) },
    tests: [{ id: 'a', criteria: 'x', input: 'where?', assert: [{ type: 'equals', value: 'shipped' }] }],
  });
  const run = 'TEST_API_KEY=test-key-of-nobody node_modules/.bin/assay run case.eval.yaml --no-color';
  const { code, stdout, stderr } = await shell(run, project);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('8 passed: 8 trials');
});
