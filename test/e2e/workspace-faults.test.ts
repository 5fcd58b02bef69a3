import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Ended } from './support/cli.ts';
import { erroredWith, outcomeOf, passedWith } from './support/outcome.ts';
import { openProject } from './support/here.ts';
import { newestRun, rowOf, rowsOf, type Project } from './support/project.ts';

const script = (text: string, more: object = {}) => ({ script: ['sh', '-c', text], ...more });
const answers = { target: 'agent' };
const hangs = { target: 'hanging' };

/** One workspace each, and the target that works in it. */
const cases = {
  'has a setup that works': {
    workspace: { setup: script('cat > seen.json; cp seen.json "$ASSAY_WORKSPACE"') },
  },
  'has a setup that does not read stdin': { workspace: { setup: script('true') } },
  'has a setup that is one long argument': { workspace: { setup: script(`true # ${'x'.repeat(5000)}`) } },
  'has a setup that exits with 3': {
    workspace: { setup: script('touch "$ASSAY_WORKSPACE/made-by-setup"; echo no database >&2; exit 3') },
  },
  'has a setup that hangs': { workspace: { setup: script('sleep 600', { timeout_ms: 400 }) } },
  'has a setup that is missing': { workspace: { setup: { script: ['no-such-setup-anywhere'] } } },
  'has a setup that leaves a child': { workspace: { setup: script('setsid sleep 600 > /dev/null 2>&1 &') } },
  'has a teardown that exits with 4': { workspace: { teardown: script('echo still locked >&2; exit 4') } },
  'has a teardown that hangs': { workspace: { teardown: script('sleep 600', { timeout_ms: 400 }) } },
  'has a teardown that is missing': { workspace: { teardown: { script: ['no-such-teardown-anywhere'] } } },
  'has a teardown after a failed setup': {
    workspace: { setup: script('exit 1'), teardown: script('cat > after-setup.json') },
  },
  'has a teardown after a timeout': {
    workspace: { teardown: script('cat > after-timeout.json') },
    execution: hangs,
  },
};

type Name = keyof typeof cases;

let project: Project;
let run: string;
let ended: Ended;

beforeAll(async () => {
  project = openProject({
    'assay.config.json': {
      target: 'agent',
      run: { concurrency: 6, retryInfrastructure: 0 },
      targets: {
        agent: { type: 'cli', command: ['sh', '-c', 'ls; echo x > made-by-agent; echo the answer'] },
        hanging: { type: 'cli', command: ['sh', '-c', 'setsid sleep 600 & sleep 600'], timeoutMs: 400 },
      },
    },
    'evals/faults.eval.yaml': {
      tests: Object.entries(cases).map(([id, own]) => ({
        id,
        input: 'What is it?',
        assert: [{ type: 'contains', value: 'the answer' }],
        execution: answers,
        ...own,
      })),
    },
  });
  ended = await project.assay('run');
  run = newestRun(project);
});
afterAll(() => project[Symbol.asyncDispose]());

const notSetUp = erroredWith('workspace-setup', { stage: 'workspace' });

const expected: Readonly<Record<Name, unknown>> = {
  'has a setup that works': passedWith('seen.json\nthe answer'),
  'has a setup that does not read stdin': passedWith('the answer'),
  'has a setup that is one long argument': passedWith('the answer'),
  'has a setup that exits with 3': notSetUp,
  'has a setup that hangs': notSetUp,
  'has a setup that is missing': notSetUp,
  'has a setup that leaves a child': passedWith('the answer'),
  'has a teardown that exits with 4': passedWith('the answer'),
  'has a teardown that hangs': passedWith('the answer'),
  'has a teardown that is missing': passedWith('the answer'),
  'has a teardown after a failed setup': notSetUp,
  'has a teardown after a timeout': erroredWith('timeout'),
};

describe('a case that', () => {
  test.each(Object.keys(cases) as Name[])('%s has the outcome that says so', (name) => {
    expect(outcomeOf(rowOf(run, name))).toEqual(expected[name]);
  });
});

test.each([
  ['has a setup that exits with 3', /code 3[^]*no database/],
  ['has a setup that hangs', /400 ms/],
  ['has a setup that is missing', /no-such-setup-anywhere/],
] as const)('the error of a case that %s names what happened', (name, pattern) => {
  expect(rowOf(run, name).error?.message).toMatch(pattern);
});

test.each([
  ['has a teardown that exits with 4', /code 4[^]*still locked/],
  ['has a teardown that hangs', /400 ms/],
  ['has a teardown that is missing', /no-such-teardown-anywhere/],
] as const)('a case that %s keeps its verdict and carries a warning', (name, pattern) => {
  expect(rowOf(run, name).notes).toEqual([expect.stringMatching(pattern)]);
});

test('the agent is not started after a failed setup, and the directory is kept and named', () => {
  const { error, steps } = rowOf(run, 'has a setup that exits with 3');
  const kept = /the workspace is kept at ([^;]+)/.exec(error?.message ?? '')?.[1] ?? '';
  expect({ steps, kept: kept.startsWith(join(run, 'workspaces')), files: readdirSync(kept) }).toEqual({
    steps: 0,
    kept: true,
    files: ['made-by-setup'],
  });
});

test('teardown runs after a failed setup and after a timeout, from the folder of the eval file', () => {
  const told = ['after-setup.json', 'after-timeout.json'].map(
    (file) => JSON.parse(project.read(`evals/${file}`)) as unknown,
  );
  expect(told).toEqual([
    toldTo('has a teardown after a failed setup'),
    toldTo('has a teardown after a timeout'),
  ]);
});

test('setup is told of its trial on stdin', () => {
  const told: unknown = JSON.parse(readFileSync(project.path('evals/seen.json'), 'utf8'));
  expect(told).toEqual(toldTo('has a setup that works'));
});

function toldTo(id: Name): unknown {
  return {
    workspace_path: expect.stringContaining(project.marker) as string,
    test_id: id,
    eval_run_id: expect.stringMatching(/^\d{8}T\d{6}Z-/) as string,
    case_input: 'What is it?',
    case_metadata: null,
  };
}

test('what could not be measured decides the exit code, and no process or temporary file is left', async () => {
  expect(rowsOf(run).length).toBe(Object.keys(cases).length);
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 3, stderr: '' });
  expect(await project.orphans()).toEqual([]);
  expect(project.litter()).toEqual([]);
});

test('what was taken out of a kept workspace is no fault of the agent when its trial is graded again', async () => {
  const does = `printf '%s' "$FAKE_SECRET" > key.txt; printf '\\0%s' "$FAKE_SECRET" > key.bin; echo done`;
  const assert = [
    { type: 'files', exists: ['key.bin'], contains: { 'key.txt': 'canary-' } },
    { type: 'contains', value: 'done' },
  ];
  await using own = openProject({
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: ['sh', '-c', does], passEnv: ['FAKE_SECRET'] } },
    },
    'some.eval.yaml': { tests: [{ id: 'one', input: 'x', workspace: { keep: 'always' } }], assert },
  });
  await own.start(['run'], { FAKE_SECRET: 'canary-0123456789' }).ended;
  const before = rowOf(newestRun(own), 'one');
  await own.assay('grade', 'latest');
  const after = rowOf(newestRun(own), 'one');
  const told = ({ verdict, grades }: typeof before) => [verdict, grades.map(({ score }) => score)];
  expect([told(before), told(after)]).toEqual([
    ['passed', [1, 1]],
    ['errored', [null, 1]],
  ]);
  expect(after.grades[0]?.reason).toBe(
    'could not be decided: the kept workspace differs from what the agent left, because secrets were removed from key.bin | key.txt; run the case again to grade it',
  );
});

test('what the agent changed in a kept workspace can be graded again, unless a secret stands in it', async () => {
  const does = `printf '%s' "$ANSWER" > answer.txt; rm old.txt; echo done`;
  const assert = [
    { type: 'files', unchanged: ['old.txt'], name: 'touched' },
    {
      type: 'code_judge',
      script: ['sh', '-c', 'grep -q answer.txt && test -f "$ASSAY_WORKSPACE/answer.txt"'],
    },
  ];
  await using own = openProject({
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: ['sh', '-c', does], passEnv: ['ANSWER'] } },
    },
    'box/old.txt': 'old',
    'some.eval.yaml': {
      tests: ['always', 'on-failure'].map((keep) => ({
        id: keep,
        input: 'x',
        workspace: { template: './box', keep },
      })),
      assert,
    },
  });
  const told = (directory: string) =>
    ['always', 'on-failure'].map((id) => {
      const { verdict, grades } = rowOf(directory, id);
      return [verdict, ...grades.map(({ score }) => score)];
    });
  await own.start(['run'], { ANSWER: 'short' }).ended;
  const before = told(newestRun(own));
  await own.assay('grade', 'latest');
  expect([before, told(newestRun(own))]).toEqual([
    [
      ['failed', 0, 1],
      ['failed', 0, 1],
    ],
    [
      ['failed', 0, 1],
      ['failed', 0, 1],
    ],
  ]);
  await own.start(['run', '--case', 'always'], { ANSWER: 'canary-0123456789' }).ended;
  const kept = readdirSync(join(newestRun(own), 'workspaces'));
  await own.assay('grade', 'latest');
  expect([
    kept.filter((name) => name.endsWith('.changes.json')),
    rowOf(newestRun(own), 'always').verdict,
  ]).toEqual([[], 'errored']);
});
