import { expect, test } from 'vitest';

import { openProject } from './support/here.ts';
import { manifestOf, newestRun, rowOf, rowsOf } from './support/project.ts';

const agent = (script: string) => ({ type: 'cli', command: ['sh', '-c', script] });

test.each([
  ['the suite', 'a.eval.yaml', 'a.eval.yaml'],
  ['a script that grades', 'judge.sh', 'judge.sh'],
  ['a hidden file', 'hidden/deep/test.sh', 'hidden'],
])('an agent that changes %s errors its trial, and no other trial starts', async (_, path, named) => {
  const config = (target: string) => ({
    targets: { agent: agent(`echo "# changed" >> "${target}"; echo done`) },
    run: { concurrency: 1 },
  });
  await using project = openProject({
    'judge.sh': 'echo \'{"score": 1}\'\n',
    'hidden/deep/test.sh': 'exit 0\n',
    'a.eval.yaml': {
      workspace: {},
      tests: ['one', 'two', 'three'].map((id) => ({
        id,
        input: 'x',
        assert: [
          { type: 'code_judge', script: ['sh', 'judge.sh'] },
          { type: 'command', run: ['sh', 'deep/test.sh'], files: './hidden' },
        ],
      })),
    },
  });
  project.write({ 'assay.config.json': config(project.path(path)) });
  const { code, stdout } = await project.assay('run');
  expect(code).toBe(3);
  const rows = rowsOf(newestRun(project));
  expect(rows.map(({ caseId, verdict, error }) => [caseId, verdict, error?.kind, error?.detail])).toEqual([
    ['one', 'errored', 'tampered', 'evidence-changed'],
  ]);
  expect(manifestOf(newestRun(project)).noEvidence).toContain(`Tampered: ${project.path(named)} has changed`);
  expect(stdout).toContain('has changed since the run began');
});

test('an agent that only reads what grades it changes nothing', async () => {
  await using project = openProject({
    'a.eval.yaml': {
      tests: [{ id: 'one', input: 'x', assert: [{ type: 'contains', value: 'tests' }] }],
    },
    'assay.config.json': { targets: { agent: agent('cat a.eval.yaml; touch a.eval.yaml') } },
  });
  expect(await project.assay('run')).toMatchObject({ code: 0 });
});

test('a pass of an impossible test makes the results inconclusive, and is named first', async () => {
  const project = (answer: string) =>
    openProject({
      'a.eval.yaml': {
        tests: [
          { id: 'normal', input: 'x', assert: [{ type: 'contains', value: 'done' }] },
          {
            id: 'trap',
            input: 'x',
            impossible: 'the task contradicts its test',
            assert: [{ type: 'contains', value: 'magic' }],
          },
        ],
      },
      'assay.config.json': { targets: { agent: agent(`echo ${answer}`) } },
    });
  await using honest = project('done');
  expect(await honest.assay('run')).toMatchObject({ code: 0 });
  expect(rowOf(newestRun(honest), 'trap').status).toBe('expected-failed');
  await using cheating = project('magic');
  const { code, stdout } = await cheating.assay('run');
  expect(code).toBe(3);
  expect(stdout).toContain('Target agent passed trap, which nobody can pass without cheating');
  expect(rowOf(newestRun(cheating), 'trap').flags).toEqual(['impossible-passed']);
});

test('a resumed run stays inconclusive because of what an earlier process has found', async () => {
  const says = 'case "$1" in trap) echo magic;; *) cat "$FLAG";; esac';
  await using project = openProject({
    'a.eval.yaml': {
      tests: [
        { id: 'trap', input: 'trap', impossible: 'nobody knows the word' },
        { id: 'normal', input: 'x' },
      ].map((each) => ({ ...each, assert: [{ type: 'contains', value: 'magic' }] })),
    },
  });
  const command = ['sh', '-c', says, 'sh', '{PROMPT}'];
  const flag = project.path('flag');
  project.write({
    'assay.config.json': { targets: { agent: { type: 'cli', command, env: { FLAG: flag } } } },
  });
  expect(await project.assay('run')).toMatchObject({ code: 3 });
  const verdicts = rowsOf(newestRun(project)).map(({ caseId, verdict }) => [caseId, verdict] as const);
  expect(Object.fromEntries(verdicts)).toEqual({ trap: 'passed', normal: 'errored' });
  project.write({ flag: 'magic' });
  const resumed = await project.assay('resume', 'latest', '--retry', 'errored');
  expect(resumed.code).toBe(3);
  expect(resumed.stdout).toContain('Target agent passed trap, which nobody can pass without cheating');
  expect(rowOf(newestRun(project), 'normal').verdict).toBe('passed');
});

test('a tampered run that is resumed stays inconclusive until the tampered trial has run again', async () => {
  const suite = {
    'judge.sh': 'echo \'{"score": 1}\'\n',
    'a.eval.yaml': {
      tests: ['one', 'two'].map((id) => ({
        id,
        input: id,
        assert: [{ type: 'code_judge', script: ['sh', 'judge.sh'] }],
      })),
    },
  };
  await using project = openProject(suite);
  const path = project.path('judge.sh');
  const cheat = `test -e "$(dirname "${path}")/caught" || echo "# changed" >> "${path}"; echo done`;
  project.write({
    'assay.config.json': { targets: { agent: agent(cheat) }, run: { concurrency: 1 } },
  });
  expect(await project.assay('run')).toMatchObject({ code: 3 });
  project.write({ ...suite, caught: '' });
  const { code, stdout } = await project.assay('resume', 'latest');
  expect({ code, isNamed: stdout.includes('Tampered: ') }).toEqual({ code: 3, isNamed: true });
  expect(rowsOf(newestRun(project)).map(({ caseId, verdict }) => [caseId, verdict])).toEqual([
    ['one', 'errored'],
    ['two', 'passed'],
  ]);
  expect(await project.assay('resume', 'latest', '--retry', 'errored')).toMatchObject({ code: 0 });
});
