import { chmodSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Ended } from './support/cli.ts';
import { erroredWith, outcomeOf, passedWith } from './support/outcome.ts';
import { newestRun, openProject, rowOf, rowsOf, type Project } from './support/project.ts';

const shell = (script: string, more: object = {}) => ({
  type: 'cli',
  command: ['sh', '-c', script],
  ...more,
});
const turn = (timeoutMs: number) => ({ timeoutMs });

/** One way to misbehave each; every target gets one case of its own name. */
const targets = {
  good: shell('cat > /dev/null; echo the answer'),
  'exits with 1': shell('echo the answer; echo out of cheese >&2; exit 1'),
  'dies by a signal': shell('kill -9 $$'),
  'is missing': { type: 'cli', command: ['no-such-agent-anywhere'] },
  'is missing as a file': { type: 'cli', command: ['./no-such-agent'] },
  'is missing in a shell': { type: 'cli', command: 'no-such-agent-anywhere --now' },
  'is not executable': { type: 'cli', command: ['./plain.txt'] },
  hangs: shell('echo the answer; exec sleep 600', turn(400)),
  'hangs in silence': shell('echo the answer; exec sleep 600', { idleTimeoutMs: 400 }),
  'ignores SIGTERM': shell("trap '' TERM; while :; do sleep 600; done", turn(400)),
  'forks a child that holds stdout open': shell('sleep 600 & echo the answer'),
  'forks a child that leaves its group': shell('setsid sleep 600 & echo the answer'),
  'forks a daemon': shell('(setsid sleep 600 < /dev/null > /dev/null 2>&1 &) ; echo the answer'),
  'forks and hangs': shell('sleep 600 & setsid sleep 600 & wait', turn(400)),
  'floods stdout': shell('head -c 1073741824 /dev/zero'),
  'floods stderr': shell('yes >&2'),
  'prints invalid UTF-8': shell("printf 'the answer \\377\\376 caf\\351'"),
  'closes stdin at once': shell('exec 0<&-; sleep 0.3; echo the answer'),
  'never reads stdin': shell('sleep 0.3; echo the answer'),
  'writes half a JSON': shell('printf \'{"text": "the answer\''),
  'streams half a JSON': shell('echo \'{"type": "mess\'', { stream: 'jsonl' }),
  'streams and hangs after half a line': shell('printf \'{"type": "mess\'; exec sleep 600', {
    stream: 'jsonl',
    ...turn(400),
  }),
  'prints nothing': shell('true'),
};

type Name = keyof typeof targets;

/** More than a pipe holds, so that writing it meets the closed end. */
const LONG_INPUT = `${'a long question '.repeat(40_000)}?`;

let project: Project;
let run: string;
let ended: Ended;

beforeAll(async () => {
  project = openProject({
    'assay.config.json': { targets, run: { concurrency: 8, retryInfrastructure: 0 } },
    'plain.txt': 'no program',
    'faults.eval.yaml': {
      tests: Object.keys(targets).map((id) => ({
        id,
        input: id.includes('stdin') ? LONG_INPUT : 'What is it?',
        execution: { target: id },
        assert: [{ type: 'contains', value: 'the answer' }],
      })),
    },
  });
  chmodSync(project.path('plain.txt'), 0o644);
  ended = await project.assay('run');
  run = newestRun(project);
});
afterAll(() => project[Symbol.asyncDispose]());

const expected: Readonly<Record<Name, unknown>> = {
  good: passedWith('the answer'),
  'exits with 1': erroredWith('runner-crash'),
  'dies by a signal': erroredWith('runner-crash'),
  'is missing': erroredWith('target-unavailable', { detail: 'missing-binary' }),
  'is missing as a file': erroredWith('target-unavailable', { detail: 'missing-binary' }),
  'is missing in a shell': erroredWith('target-unavailable', { detail: 'missing-binary' }),
  'is not executable': erroredWith('target-unavailable', { detail: 'program-not-executable' }),
  hangs: erroredWith('timeout'),
  'hangs in silence': erroredWith('idle-timeout'),
  'ignores SIGTERM': erroredWith('timeout'),
  'forks a child that holds stdout open': passedWith('the answer'),
  'forks a child that leaves its group': passedWith('the answer'),
  'forks a daemon': passedWith('the answer'),
  'forks and hangs': erroredWith('timeout'),
  'floods stdout': erroredWith('contract', { detail: 'output-limit' }),
  'floods stderr': erroredWith('contract', { detail: 'output-limit' }),
  'prints invalid UTF-8': passedWith('the answer \ufffd\ufffd caf\ufffd'),
  'closes stdin at once': passedWith('the answer'),
  'never reads stdin': passedWith('the answer'),
  'writes half a JSON': passedWith('{"text": "the answer'),
  'streams half a JSON': erroredWith('contract'),
  'streams and hangs after half a line': erroredWith('timeout'),
  'prints nothing': {
    ...(passedWith('') as object),
    verdict: 'failed',
    status: 'failed',
    passed: false,
    score: 0,
  },
};

describe('an agent that', () => {
  test.each(Object.keys(targets) as Name[])('%s has the outcome that says so', (name) => {
    expect(outcomeOf(rowOf(run, name))).toEqual(expected[name]);
  });
});

const words: readonly (readonly [Name, RegExp])[] = [
  ['exits with 1', /exit code 1; the end of its stderr:\nout of cheese/],
  ['dies by a signal', /SIGKILL/],
  ['is missing', /no-such-agent-anywhere/],
  ['is missing in a shell', /no-such-agent-anywhere/],
  ['hangs', /400 ms/],
  ['floods stdout', /stdout/],
];
test.each(words)('the error of an agent that %s names what happened', (name, pattern) => {
  const { error } = rowOf(run, name);
  expect(error?.message).toMatch(pattern);
});

test('every trial has one row and the exit code is of the failed one', () => {
  expect(
    rowsOf(run)
      .map(({ caseId }) => caseId)
      .sort(),
  ).toEqual(Object.keys(targets).sort());
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 1, stderr: '' });
});

test('no process and no temporary file is left', async () => {
  expect(await project.orphans()).toEqual([]);
  expect(project.litter()).toEqual([]);
});

test.each([
  ['only errored trials end with 3', ['--case', 'exits*'], 3],
  [
    'tolerated errored trials beside a measured one end with 0',
    ['--case', 'exits*', '--case', 'never reads stdin', '--max-errored', '1'],
    0,
  ],
  ['tolerated errored trials alone are no evidence', ['--case', 'exits*', '--max-errored', '1'], 3],
  ['a failed trial counts before an errored one', ['--case', 'exits*', '--case', 'prints nothing'], 1],
] as const)('%s', async (_, args, code) => {
  expect((await project.assay('run', ...args)).code).toBe(code);
});
