import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { fakeEnv, installFakeAgent, recordingOf, startsIn, type FakePlan } from '../support/fake-agent.ts';
import { erroredWith, outcomeOf, passedWith } from './support/outcome.ts';
import { newestRun, openProject, rowOf, type Project } from './support/project.ts';

const SKILL = { 'skills/demo/SKILL.md': '---\nname: demo\ndescription: shows how\n---\nDo it.\n' };
const KEY = 'dummy-key-0123456789';

const agent = (type: string, plan: FakePlan, more: { readonly env?: Record<string, string> } = {}) => ({
  type,
  model: 'lab/some-model',
  skills: ['./skills/demo'],
  ...more,
  env: { ...fakeEnv(plan), ...more.env },
});

const loop = (type: string, version: string) => recordingOf(type, `${version}/tool-loop`);
const besides = (recording: string, name: string) =>
  readFileSync(recording.replace('.stdout.jsonl', `.${name}.jsonl`), 'utf8');

const targets = (seen: (name: string) => string) => {
  const codex = loop('codex', '0.169.0');
  const copilot = loop('copilot', '1.0.102');
  return {
    codex: agent('codex', {
      seen: seen('codex'),
      version: 'codex-cli 0.169.0',
      recording: codex,
      session: {
        folder: '.codex/sessions/2026/11/21',
        file: 'rollout-2026-11-21T20-25-50-01a1ffc9-6108-7fd1-a32a-4ea604070d64.jsonl',
        text: besides(codex, 'rollout'),
      },
    }),
    copilot: agent(
      'copilot',
      {
        seen: seen('copilot'),
        version: '1.0.102',
        recording: copilot,
        session: {
          folder: '.copilot/session-state/ff8d131f-f3b6-4902-afe3-1f7ec9a78822',
          file: 'events.jsonl',
          text: besides(copilot, 'events'),
        },
      },
      { env: { COPILOT_PROVIDER_API_KEY: KEY } },
    ),
    pi: agent('pi', { seen: seen('pi'), version: '0.73.1', recording: loop('pi', '0.73.1') }),
    'copilot with a shell in the background': agent('copilot', {
      version: '1.0.102',
      recording: recordingOf('copilot', '1.0.102/sigterm'),
      stray: seen('background.pid'),
      silentMs: 600_000,
    }),
    'codex whose model is refused': agent('codex', {
      version: '0.169.0',
      recording: recordingOf('codex', '0.169.0/error-404'),
      exitCode: 1,
    }),
    'pi whose key is refused': agent('pi', {
      version: '0.73.1',
      recording: recordingOf('pi', '0.73.1/error-401'),
    }),
  };
};

type Name = keyof ReturnType<typeof targets>;

let project: Project;
let run: string;

beforeAll(async () => {
  project = openProject(SKILL);
  installFakeAgent(project.path('bin'), ['codex', 'copilot', 'pi']);
  const all = targets((name) => project.path(`${name}.jsonl`));
  project.write({
    'assay.config.json': { targets: all, run: { concurrency: 6, retryInfrastructure: 0 } },
    'agents.eval.yaml': {
      tests: Object.keys(all).map((id) => ({
        id,
        input: 'Read SKILL.md and follow it',
        execution: { target: id },
        assert: [{ type: 'contains', value: 'DONE' }],
      })),
    },
  });
  await start(['run']).ended;
  run = newestRun(project);
});
afterAll(() => project[Symbol.asyncDispose]());

function start(args: readonly string[]) {
  return project.start(args, { PATH: `${project.path('bin')}:${process.env['PATH'] ?? ''}` });
}

const expected: Readonly<Record<Name, unknown>> = {
  codex: passedWith('DONE: wrote answer.txt'),
  copilot: passedWith('DONE: wrote answer.txt'),
  pi: passedWith('DONE: wrote answer.txt'),
  'copilot with a shell in the background': passedWith('DONE: slept'),
  'codex whose model is refused': erroredWith('model-rejected'),
  'pi whose key is refused': erroredWith('http-error', { detail: 'credentials-rejected' }),
};

test.each(Object.keys(expected) as Name[])('%s has the outcome that its output tells', (name) => {
  expect(outcomeOf(rowOf(run, name))).toEqual(expected[name]);
});

const tokens = {
  inputTokens: 3300,
  cacheReadTokens: 1800,
  cacheWriteTokens: 0,
  outputTokens: 153,
  totalTokens: 3453,
};

test.each([
  ['codex', { ...tokens, reasoningTokens: 21 }],
  ['copilot', { ...tokens, reasoningTokens: 21 }],
  ['pi', tokens],
])('tokens and steps of %s are those of all its responses', (name, usage) => {
  const row = rowOf(run, name);
  expect({ usage: row.usage, steps: row.steps }).toEqual({ usage: { agent: usage }, steps: 3 });
});

test.each([
  ['codex', '.agents', ['CODEX_HOME']],
  ['copilot', '.github', ['COPILOT_HOME']],
  ['pi', '.pi', []],
])('%s finds its skill where it looks, and its settings in a home of its own', (name, folder, settings) => {
  const [seen] = startsIn(project.path(`${name}.jsonl`));
  expect(seen?.workspace).toContain(`${folder}/skills/demo/SKILL.md`);
  const home = seen?.env['HOME'] ?? 'none';
  for (const variable of settings) expect(seen?.env[variable]?.startsWith(`${home}/`)).toBe(true);
  expect(seen?.homeMode).toBe('700');
});

test('Copilot that is done and stays is ended with a note, with what it left running', async () => {
  expect(rowOf(run, 'copilot with a shell in the background').notes).toEqual([
    'copilot was ended because it did not exit after its turn, probably because of a background command',
    expect.stringMatching(/^copilot left .* running, which (?:was|were) ended$/),
  ]);
  expect(await project.orphans()).toEqual([]);
});

test.each([
  ['codex', '--help me'],
  ['copilot', '--prompt=--help me'],
])('%s gets a prompt that begins with a hyphen as it is', async (target, last) => {
  project.write({
    'hyphen.eval.yaml': {
      tests: [
        {
          id: 'a',
          input: '--help me',
          execution: { target },
          assert: [{ type: 'contains', value: 'DONE' }],
        },
      ],
    },
  });
  expect((await start(['run', 'hyphen.eval.yaml']).ended).code).toBe(0);
  expect(
    startsIn(project.path(`${target}.jsonl`))
      .at(-1)
      ?.args.at(-1),
  ).toBe(last);
});

test.each(['--help me', '@notes.md'])(
  'a prompt that pi would not get stops the run before it begins: %s',
  async (input) => {
    project.write({
      'pi.eval.yaml': {
        tests: [{ id: 'a', input, execution: { target: 'pi' }, assert: [{ type: 'contains', value: 'x' }] }],
      },
    });
    const { code, stderr } = await start(['run', 'pi.eval.yaml']).ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(/it starts with "[-@]", which pi reads as/);
  },
);

test('a short key of Copilot stops the run before it begins', async () => {
  const short = agent('copilot', {}, { env: { COPILOT_PROVIDER_API_KEY: 'data' } });
  project.write({
    'short.config.json': { targets: { short } },
    'short.eval.yaml': {
      tests: [
        { id: 'a', input: 'x', execution: { target: 'short' }, assert: [{ type: 'contains', value: 'x' }] },
      ],
    },
  });
  const { code, stderr } = await start(['run', 'short.eval.yaml', '--config', 'short.config.json']).ended;
  expect(code).toBe(2);
  expect(stderr).toContain('COPILOT_PROVIDER_API_KEY has fewer than 8 characters');
});
