import { join } from 'node:path';

import { expect, test } from 'vitest';

import { project } from '../yaml/project.fixture.ts';
import { storedCaseFiles } from './recognise.ts';

test('a stored case is recognised by its content, unless the file is named as a suite', async () => {
  const folder = project({
    'case.yaml': 'name: x\n',
    'suite.eval.yaml': 'name: x\n',
    'tests.yaml': 'tests: [{id: a, input: x}]\n',
    'package.json': '{"name": "x", "private": true}',
    'persona.json': '{"name": "x", "persona": 5}',
  });
  const names = ['case.yaml', 'suite.eval.yaml', 'tests.yaml', 'package.json', 'persona.json'];
  expect(await storedCaseFiles(names.map((name) => join(folder, name)))).toEqual([
    join(folder, 'case.yaml'),
    join(folder, 'persona.json'),
  ]);
});
