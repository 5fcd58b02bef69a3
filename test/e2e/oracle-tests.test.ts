import { existsSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { newestRun, openProject, rowsOf, type Project } from './support/project.ts';

const ADDS = `import { test } from 'node:test';
import assert from 'node:assert';
const { add } = await import('../solution.mjs');
test('adds', () => assert.equal(add(2, 3), 5));
test('adds zero', () => assert.equal(add(2, 0), 2));
`;

const RUN = [
  'node',
  '--test',
  '--test-reporter=junit',
  '--test-reporter-destination=out.xml',
  'tests/adds.test.mjs',
];

function projectOf(agent: string, solution = 'export const add = (a, b) => a + b;\n'): Project {
  const assert = [
    {
      type: 'command',
      run: RUN,
      files: './hidden',
      at: 'tests',
      result: 'junit',
      report: 'out.xml',
      expect_tests: 'oracle',
      oracle: './solved',
    },
  ];
  return openProject({
    'hidden/adds.test.mjs': ADDS,
    'template/solution.mjs': 'export const add = () => 0;\n',
    'solved/solution.mjs': solution,
    'a.eval.yaml': {
      workspace: { template: './template' },
      tests: [{ id: 'one', input: 'make add work', assert }],
    },
    'assay.config.json': { targets: { agent: { type: 'cli', command: ['sh', '-c', agent] } } },
  });
}

const scoresOf = (project: Project) =>
  rowsOf(newestRun(project)).map(({ verdict, score }) => [verdict, score]);

test('the names of the expected tests come from a correct solution', async () => {
  await using project = projectOf('echo "process.exit(0)" > solution.mjs');
  const unproven = await project.assay('run');
  expect(unproven.code).toBe(3);
  expect(unproven.stdout).toContain('does not name the tests of this command');
  expect(await project.assay('verify-graders')).toMatchObject({ code: 0 });
  const kept = JSON.parse(readFileSync(project.path('solved.tests.json'), 'utf8')) as Record<
    string,
    string[]
  >;
  expect(
    Object.entries(kept).map(([run, names]) => [
      run.replace(/ \([0-9a-f]{16}\)$/, ''),
      names.map((name) => name.replace(/^\S+ /, '')),
    ]),
  ).toEqual([[RUN.join(' '), ['adds', 'adds zero']]]);
  // The agent ends the process of the tests: they are missing.
  expect(await project.assay('run')).toMatchObject({ code: 1 });
  expect(scoresOf(project)).toEqual([['failed', 0]]);
});

test('an agent that solves the task passes the tests of the oracle', async () => {
  await using project = projectOf('echo "export const add = (a, b) => a - -b;" > solution.mjs');
  expect(await project.assay('verify-graders')).toMatchObject({ code: 0 });
  expect(await project.assay('run')).toMatchObject({ code: 0 });
  expect(scoresOf(project)).toEqual([['passed', 1]]);
});

test('a wrong solution names no tests', async () => {
  await using project = projectOf('true', 'export const add = () => 5;\n');
  const { code, stdout } = await project.assay('verify-graders');
  expect(code).toBe(3);
  expect(stdout).toContain('did not pass with the oracle');
  expect(existsSync(project.path('solved.tests.json'))).toBe(false);
});

test('an agent that changes the names errors its trial', async () => {
  await using project = projectOf('true');
  expect(await project.assay('verify-graders')).toMatchObject({ code: 0 });
  const command = ['sh', '-c', `echo '{}' > "${project.path('solved.tests.json')}"`];
  project.write({ 'assay.config.json': { targets: { agent: { type: 'cli', command } } } });
  const { code, stdout } = await project.assay('run');
  expect({ code, isNamed: stdout.includes('solved.tests.json has changed') }).toEqual({
    code: 3,
    isNamed: true,
  });
});
