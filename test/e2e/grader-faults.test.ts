import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Ended } from './support/cli.ts';
import { newestRun, openProject, rowOf, rowsOf, type Project } from './support/project.ts';

const script = (text: string, more: object = {}) => ({ type: 'code_judge', script: text, ...more });

/** One code grader each, by what it does. */
const graders = {
  'says a score': script('cat > /dev/null; echo \'{"score": 1, "reason": "fine"}\''),
  'does not read stdin': script('echo \'{"score": 1, "reason": "fine"}\''),
  'closes stdin at once': script('exec 0<&-; sleep 0.2; echo \'{"score": 1, "reason": "fine"}\''),
  'prints garbage': script('echo garbage; echo more garbage >&2'),
  'prints a score that is none': script('echo \'{"score": 7}\''),
  'prints half a JSON': script('printf \'{"score": 1\''),
  'exits with 1 and says why': script('echo Traceback >&2; exit 1'),
  'exits with 1 in silence': script('exit 1'),
  'exits with 70': script('echo \'{"score": 1}\'; exit 70'),
  'dies by a signal': script('kill -9 $$'),
  'is missing': { type: 'code_judge', script: ['no-such-grader-anywhere'] },
  hangs: script('exec sleep 600', { timeout_ms: 400 }),
  'ignores SIGTERM': script("trap '' TERM; while :; do sleep 600; done", { timeout_ms: 400 }),
  'forks a child that holds stdout open': script('sleep 600 & echo \'{"score": 1, "reason": "fine"}\''),
  'forks a child that leaves its group': script(
    'setsid sleep 600 > /dev/null 2>&1 & echo \'{"score": 1, "reason": "fine"}\'',
  ),
  'floods stdout': script('yes'),
};

type Name = keyof typeof graders;

/** More than a pipe holds, so that writing it meets the closed end. */
const LONG_INPUT = 'a long question '.repeat(20_000);

let project: Project;
let run: string;
let ended: Ended;

beforeAll(async () => {
  project = openProject({
    'assay.config.json': {
      targets: { agent: { type: 'mock', response: 'the answer' } },
      run: { concurrency: 8 },
    },
    'faults.eval.yaml': {
      tests: Object.entries(graders).map(([id, grader]) => ({
        id,
        input: id.includes('stdin') ? LONG_INPUT : 'What is it?',
        assert: [grader, { type: 'contains', value: 'the answer' }],
      })),
    },
  });
  ended = await project.assay('run');
  run = newestRun(project);
});
afterAll(() => project[Symbol.asyncDispose]());

const passed = { verdict: 'passed', score: 1, grades: [1, 1] };
const failed = { verdict: 'failed', score: 0.5, grades: [0, 1] };
const errored = { verdict: 'errored', score: null, grades: [null, 1], stage: 'grading', kind: 'grader' };

const expected: Readonly<Record<Name, unknown>> = {
  'says a score': passed,
  'does not read stdin': passed,
  'closes stdin at once': passed,
  'prints garbage': errored,
  'prints a score that is none': errored,
  'prints half a JSON': errored,
  'exits with 1 and says why': errored,
  'exits with 1 in silence': failed,
  'exits with 70': errored,
  'dies by a signal': errored,
  'is missing': errored,
  hangs: errored,
  'ignores SIGTERM': errored,
  'forks a child that holds stdout open': passed,
  'forks a child that leaves its group': passed,
  'floods stdout': errored,
};

describe('a grader script that', () => {
  test.each(Object.keys(graders) as Name[])('%s is judged so', (name) => {
    const { verdict, score, grades, error } = rowOf(run, name);
    expect({
      verdict,
      score,
      grades: grades.map((grade) => grade.score),
      ...(error === undefined ? {} : { stage: error.stage, kind: error.kind }),
    }).toEqual(expected[name]);
  });
});

test.each([
  ['prints garbage', /stdout: garbage\nstderr: more garbage/],
  ['exits with 1 and says why', /exited with 1[^]*stderr: Traceback/],
  ['exits with 70', /exited with 70/],
  ['dies by a signal', /SIGKILL/],
  ['is missing', /no-such-grader-anywhere/],
  ['hangs', /400 ms/],
  ['floods stdout', /32 MB/],
] as const)('the grade of a script that %s shows why', (name, pattern) => {
  expect(rowOf(run, name).grades[0]?.reason).toMatch(pattern);
});

test('the answer of the agent is kept whatever the grader did', () => {
  expect([...new Set(rowsOf(run).map(({ output }) => output))]).toEqual(['the answer']);
  expect(rowsOf(run).length).toBe(Object.keys(graders).length);
});

test('a failed trial decides the exit code, and no process or temporary file is left', async () => {
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 1, stderr: '' });
  expect(await project.orphans()).toEqual([]);
  expect(project.litter()).toEqual([]);
});
