import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { fakeEnv, installFakeAgent, recordingOf, startsIn, type FakePlan } from '../support/fake-agent.ts';
import type { Ended } from './support/cli.ts';
import { erroredWith, outcomeOf, passedWith } from './support/outcome.ts';
import { newestRun, openProject, rowOf, type Project } from './support/project.ts';

const PROMPT = '--help me';
const ANSWER = 'DONE: wrote answer.txt';

const agent = (type: string, plan: FakePlan, env: Readonly<Record<string, string>> = {}) => ({
  type,
  model: 'lab/some-model',
  env: { ...fakeEnv(plan), ...env },
});
const said = (event: object) => JSON.stringify({ session_id: 'c-1', ...event });

const CURSOR = [
  said({ type: 'system', subtype: 'init', cwd: '/workspace/project' }),
  said({ type: 'assistant', message: { content: [{ type: 'text', text: ANSWER }] } }),
  said({ type: 'result', subtype: 'success', is_error: false, result: ANSWER }),
];

const targets = (seen: (name: string) => string, bin: string) => ({
  opencode: agent(
    'opencode',
    {
      seen: seen('opencode'),
      exported: 'Exporting session: $ID\n{"info":{"id":"$ID"}}\n',
      version: '1.18.33',
      recording: recordingOf('opencode', '1.18.33/tool-loop'),
    },
    // Without ripgrep, wherever the tests run.
    { PATH: bin },
  ),
  gemini: agent('gemini', {
    seen: seen('gemini'),
    version: '0.61.0',
    recording: recordingOf('gemini', '0.61.0/tool-loop'),
  }),
  qwen: agent('qwen', {
    seen: seen('qwen'),
    version: '0.24.4',
    recording: recordingOf('qwen', '0.24.4/tool-loop'),
  }),
  'cursor-agent': agent('cursor-agent', { seen: seen('cursor-agent'), version: '2025.1.1', after: CURSOR }),
  acp: {
    type: 'acp',
    command: 'some-agent',
    commandArgs: ['acp'],
    env: fakeEnv({
      seen: seen('acp'),
      version: '1.18.33',
      recording: recordingOf('acp', 'opencode-1.18.33/tool-loop'),
    }),
  },
  'opencode stops after a call': agent('opencode', {
    version: '1.18.33',
    recording: recordingOf('opencode', '1.18.33/tool-loop'),
    to: 4,
  }),
  'gemini is limited in its rate': agent('gemini', {
    version: '0.61.0',
    recording: recordingOf('gemini', '0.61.0/error-429-two-attempts'),
    exitCode: 173,
  }),
  'qwen is refused its model': agent('qwen', {
    version: '0.24.4',
    recording: recordingOf('qwen', '0.24.4/error-404'),
    exitCode: 1,
  }),
  'cursor refuses the model': agent('cursor-agent', {
    version: '2025.1.1',
    stderr: 'Cannot use this model: x\n',
    exitCode: 1,
  }),
  'acp hides an error': {
    type: 'acp',
    command: 'some-agent',
    env: fakeEnv({ version: '2.6.0', recording: recordingOf('acp', 'codex-2.6.0/error-400') }),
  },
});

type Name = keyof ReturnType<typeof targets>;

let project: Project;
let run: string;
let ended: Ended;

beforeAll(async () => {
  project = openProject({});
  installFakeAgent(project.path('bin'), ['opencode', 'gemini', 'qwen', 'cursor-agent', 'some-agent']);
  const all = targets((name) => project.path(`${name}.jsonl`), project.path('bin'));
  project.write({
    'assay.config.json': { targets: all, run: { concurrency: 6, retryInfrastructure: 0 } },
    'agents.eval.yaml': {
      tests: Object.keys(all).map((id) => ({
        id,
        input: PROMPT,
        execution: { target: id },
        assert: [{ type: 'contains', value: 'DONE' }],
      })),
    },
  });
  const path = `${project.path('bin')}:${process.env['PATH'] ?? ''}`;
  ended = await project.start(['run'], { PATH: path }).ended;
  run = newestRun(project);
});
afterAll(() => project[Symbol.asyncDispose]());

const expected: Readonly<Record<Name, unknown>> = {
  opencode: passedWith(ANSWER),
  gemini: passedWith(ANSWER),
  qwen: passedWith(ANSWER),
  'cursor-agent': passedWith(ANSWER),
  acp: passedWith(ANSWER),
  'opencode stops after a call': erroredWith('runner-crash', { output: 'I will read the skill first.' }),
  'gemini is limited in its rate': erroredWith('http-error', { detail: 'http-429' }),
  'qwen is refused its model': erroredWith('model-rejected'),
  'cursor refuses the model': erroredWith('model-rejected'),
  'acp hides an error': erroredWith('http-error', { detail: 'http-unknown' }),
};

test.each(Object.keys(expected) as Name[])('%s has the outcome that says so', (name) => {
  expect(outcomeOf(rowOf(run, name))).toEqual(expected[name]);
});

test.each([
  ['opencode', PROMPT],
  ['gemini', `--prompt=${PROMPT}`],
  ['qwen', `--prompt=${PROMPT}`],
  ['cursor-agent', PROMPT],
  ['acp', 'acp'],
])('%s gets a prompt that begins with a hyphen as it is', (name, last) => {
  expect(startsIn(project.path(`${name}.jsonl`)).map(({ args }) => args.at(-1))).toEqual([last]);
});

test.each([
  ['opencode', 3300, 153, 3],
  ['gemini', 3300, 174, 3],
  ['qwen', 3300, 153, 3],
] as const)('%s tells %i tokens in and %i out, in %i steps', (name, inputTokens, outputTokens, count) => {
  const { usage, steps } = rowOf(run, name);
  expect({ usage, steps }).toMatchObject({ usage: { agent: { inputTokens, outputTokens } }, steps: count });
});

test('opencode writes its session down beside the trial, and nothing is missed where it does not', () => {
  const files = (name: Name): readonly string[] => readdirSync(join(run, rowOf(run, name).artifactDir ?? ''));
  const { artifactDir = '' } = rowOf(run, 'opencode');
  const { info } = JSON.parse(readFileSync(join(run, artifactDir, 'export.json'), 'utf8')) as {
    readonly info: { readonly id: string };
  };
  expect(info.id).toMatch(/^ses_/);
  expect(files('opencode stops after a call')).not.toContain('export.json');
});

test('an error that was read from a text says that it was, and the missing ripgrep is told', () => {
  expect(rowOf(run, 'acp hides an error').error?.message).toContain(
    '(assay guessed the kind of error from this text)',
  );
  expect(`${ended.stdout}${ended.stderr}`).toContain('of opencode fail silently without rg');
});
