import { expect, test } from 'vitest';

import { pythonIsThere } from '../support/python.ts';
import { openProject } from './support/project.ts';

const CONFIG = { targets: { agent: { type: 'mock', response: 'Hello' } } };
const EVAL = {
  'some.eval.yaml': {
    tests: [{ id: 'one', input: 'x', assert: [{ type: 'python', value: 'len(output) == 5' }] }],
  },
};

test.runIf(pythonIsThere())('the processes of checks end with the run', async () => {
  await using project = openProject({ 'assay.config.json': CONFIG, ...EVAL });
  const { code, stdout } = await project.assay('run');
  expect([code, await project.orphans()]).toEqual([0, []]);
  expect(stdout).toContain('1 passed: 1 trial');
});

test('without python3 on PATH, nothing runs', async () => {
  await using project = openProject({ 'assay.config.json': CONFIG, ...EVAL, 'empty/a.txt': '' });
  const PATH = project.path('empty');
  const { code, stderr } = await project.start(['run'], { PATH }).ended;
  expect([code, stderr]).toEqual([
    2,
    `some.eval.yaml  program-missing  test "one": grader python needs python3, which was not found on PATH  (install python3, or add it to PATH)
assay: 1 problem found; nothing was run
`,
  ]);
});
