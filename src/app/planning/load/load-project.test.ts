import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { AuthoringError } from '../../../core/problem.ts';
import { loadProject } from './load-project.ts';
import { folderOfTest } from '../../../../test/support/test-folders.ts';

test('an unreadable config is not reported as a config without a judge', async () => {
  const folder = folderOfTest('assay-load-project-');
  const config = { targets: { bot: { type: 'mock', response: 'hi' } }, judge: { model: 'a/b' }, runn: {} };
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(config));
  const suite = { tests: [{ id: 'a', criteria: 'is polite', input: 'hi' }] };
  writeFileSync(join(folder, 'a.eval.yaml'), JSON.stringify(suite));
  const surroundings = { cwd: folder, environment: {}, now: () => 0, commandLine: [] };
  const loading = loadProject({ options: { patterns: [] }, surroundings });
  const error = await loading.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AuthoringError);
  expect((error as AuthoringError).problems.map(({ code }) => code)).toEqual(['unknown-key']);
});

test('invalid schemas of tools are reported at their place, in targets and in suites', async () => {
  const folder = folderOfTest('assay-load-project-');
  const config = [
    'targets:',
    '  bot:',
    '    type: mock',
    '    response: hi',
    '    tools:',
    '      - { name: fine, parameters: { type: object } }',
    '      - { name: odd, parameters: { type: objekt } }',
  ];
  writeFileSync(join(folder, 'assay.config.yaml'), config.join('\n'));
  const suite = [
    'tools:',
    '  - { name: odd, parameters: { properties: { id: { pattern: "(" } } } }',
    'tests:',
    '  - { id: a, input: hi, assert: [{ type: equals, value: hi }] }',
  ];
  writeFileSync(join(folder, 'a.eval.yaml'), suite.join('\n'));
  const surroundings = { cwd: folder, environment: {}, now: () => 0, commandLine: [] };
  const error = await loadProject({ options: { patterns: [] }, surroundings }).catch(
    (thrown: unknown) => thrown,
  );
  expect((error as AuthoringError).problems).toEqual([
    {
      file: 'assay.config.yaml',
      line: 7,
      column: 34,
      code: 'invalid-schema',
      message: expect.stringContaining('tools[1].parameters is not a valid JSON Schema: '),
      path: ['targets', 'bot', 'tools', 1, 'parameters'],
    },
    {
      file: 'a.eval.yaml',
      line: 2,
      column: 30,
      code: 'invalid-schema',
      message: expect.stringContaining('tools[0].parameters is not a valid JSON Schema: '),
      path: ['tools', 0, 'parameters'],
    },
  ]);
});
