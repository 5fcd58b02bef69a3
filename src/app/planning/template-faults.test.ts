import { expect, test } from 'vitest';

import type { TestCase } from '../../core/test-case.ts';
import { templateFaults } from './template-faults.ts';

function caseWith(id: string, template: string | undefined, more: Partial<TestCase> = {}): TestCase {
  const source = { file: 'a.eval.yaml', line: 3 };
  return {
    id,
    directory: '/project',
    tags: [],
    input: [],
    expectations: [],
    source,
    ...(template === undefined ? {} : { workspace: { template } }),
    ...more,
  };
}

test('a template that contains the folder of runs is reported once, only for evals', () => {
  const found = templateFaults('/project/.assay/runs');
  for (const template of [undefined, '/project/fixture', '/project/.assay/runs-of-mine', '/pro'])
    found.add(caseWith('fine', template));
  found.add(caseWith('code', '/project', { module: {} as never }));
  found.add(caseWith('one', '/project'));
  found.add(caseWith('two', '/project'));
  found.add(caseWith('three', '/project/.assay/runs'));
  const told = (id: string) => ({
    file: 'a.eval.yaml',
    line: 3,
    code: 'workspace-template',
    message: `the template of the test "${id}" contains the folder of stored runs`,
    hint: 'use a separate folder for the files of the agent, or choose another --out',
  });
  expect(found.problems).toEqual([told('one'), told('three')]);
});
