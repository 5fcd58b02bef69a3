import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { fakeEnv, installFakeAgent, recordingOf, type FakePlan } from '../support/fake-agent.ts';
import type { Ended } from './support/cli.ts';
import { processesWith } from './support/leftovers.ts';
import { erroredWith, outcomeOf, passedWith } from './support/outcome.ts';
import { eventsOf, newestRun, openProject, rowOf, type Project } from './support/project.ts';

const ANSWER = 'DONE: wrote answer.txt';
const LOOP = recordingOf('claude-code', '2.1.197/tool-loop');
const recorded = (scenario: string) => ({ recording: recordingOf('claude-code', `2.1.330/${scenario}`) });
const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');

const claude = (plan: FakePlan, more: object = {}) => ({
  type: 'claude-code',
  model: 'some-model',
  env: fakeEnv({ version: '2.1.330 (Claude Code)', ...plan }),
  ...more,
});

const assistant = (text: string, more: object = {}) =>
  JSON.stringify({
    type: 'assistant',
    message: { id: `m-${text}`, role: 'assistant', model: 'm', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
    ...more,
  });
const call = (id: string, command: string, parent: string | null) =>
  JSON.stringify({
    type: 'assistant',
    message: { id: `m-${id}`, content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }] },
    parent_tool_use_id: parent,
  });

/** One way to behave each; every target gets one case of its own name. */
const targets = (path: (name: string) => string) => ({
  good: claude({ recording: LOOP }),
  'leaves a stray and hangs': claude(
    {
      recording: LOOP,
      to: 3,
      stray: path('stray.pid'),
      silentMs: 600_000,
      session: {
        folder: '.claude/projects/-w',
        file: 'a2c07952-da63-46b7-92ac-e3381d0103b3.jsonl',
        text: '{"kept":true}\n',
      },
    },
    { timeoutMs: 10_000 },
  ),
  'ends its turn and stays': claude({ recording: LOOP, silentMs: 600_000 }),
  'stops in the middle': claude({ recording: LOOP, to: 3 }),
  'prints unknown events only': claude({
    version: '3.0.0 (Claude Code)',
    after: ['{"type":"novelty"}', '{"type":"novelty"}', '{"kind":"none"}'],
  }),
  'prints prose only': claude({ after: ['Hello, I am done.'] }),
  'prints unknown events too': claude({ before: ['{"type":"novelty"}'], recording: LOOP }),
  'has its model refused': claude({ ...recorded('error-404'), exitCode: 1 }),
  'is limited in its rate': claude({ ...recorded('error-429'), exitCode: 1 }, { retryInfrastructure: 1 }),
  'has its key refused': claude({ ...recorded('error-401'), to: 2, silentMs: 600_000 }),
  'has no network': claude({ ...recorded('unreachable'), exitCode: 1 }, { retryInfrastructure: 0 }),
  'gets a signal': claude({ ...recorded('sigterm'), exitCode: 143, stderr: 'out of cheese' }),
  'is interrupted': claude(recorded('sigint')),
  'says success and exits with 3': claude({ recording: LOOP, exitCode: 3 }),
  'is silent': claude({ recording: LOOP, to: 2, silentMs: 600_000 }, { idleTimeoutMs: 10_000 }),
  'is slow and not silent': claude({ recording: LOOP, everyMs: 1_000 }, { idleTimeoutMs: 6_000 }),
  'floods after its end': claude({ recording: LOOP, flood: 100 }),
  'tears its last line': claude({ recording: LOOP, tail: '{"type":"resu' }),
  'comes in small pieces': claude({ recording: LOOP, chunkBytes: 97 }),
  'is not there': claude({}, { command: 'no-such-claude' }),
  'delegates to another': claude({
    before: [
      assistant('I delegate.'),
      call('outer', 'true', null),
      call('inner', 'cat inner.txt', 'outer'),
      assistant('for the agent only', { parent_tool_use_id: 'outer' }),
    ],
    recording: LOOP,
    from: 7,
  }),
});

type Name = keyof ReturnType<typeof targets>;

let project: Project;
let run: string;
let ended: Ended;

beforeAll(async () => {
  project = openProject({});
  installFakeAgent(project.path('bin'), ['claude']);
  const all = targets((name) => project.path(name));
  project.write({
    'assay.config.json': { targets: all, run: { concurrency: 8, retryInfrastructure: 0 } },
    'agents.eval.yaml': {
      tests: Object.keys(all).map((id) => ({
        id,
        input: 'Read SKILL.md and follow it',
        execution: { target: id },
        assert: [{ type: 'contains', value: 'DONE' }],
      })),
    },
  });
  ended = await start(project, ['run']).ended;
  run = newestRun(project);
});
afterAll(() => project[Symbol.asyncDispose]());

function start(within: Project, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return within.start(args, { PATH: `${within.path('bin')}:${process.env['PATH'] ?? ''}`, ...env });
}

const expected: Readonly<Record<Name, unknown>> = {
  good: passedWith(ANSWER),
  'leaves a stray and hangs': erroredWith('timeout', { output: 'I will read the skill first.' }),
  'ends its turn and stays': passedWith(ANSWER),
  'stops in the middle': erroredWith('runner-crash', { output: 'I will read the skill first.' }),
  'prints unknown events only': erroredWith('adapter-drift'),
  'prints prose only': erroredWith('adapter-drift'),
  'prints unknown events too': passedWith(ANSWER),
  'has its model refused': erroredWith('model-rejected'),
  'is limited in its rate': erroredWith('http-error', { detail: 'http-429', attempts: 2 }),
  'has its key refused': erroredWith('http-error', { detail: 'credentials-rejected' }),
  'has no network': erroredWith('target-unavailable'),
  'gets a signal': erroredWith('runner-crash'),
  'is interrupted': erroredWith('runner-crash'),
  'says success and exits with 3': erroredWith('runner-crash', { output: ANSWER }),
  'is silent': erroredWith('idle-timeout', { output: 'I will read the skill first.' }),
  'is slow and not silent': passedWith(ANSWER),
  'floods after its end': passedWith(ANSWER),
  'tears its last line': passedWith(ANSWER),
  'comes in small pieces': passedWith(ANSWER),
  'is not there': erroredWith('target-unavailable', { detail: 'missing-binary' }),
  'delegates to another': passedWith(ANSWER),
};

describe('a coding agent that', () => {
  test.each(Object.keys(expected) as Name[])('%s has the outcome that says so', (name) => {
    expect(outcomeOf(rowOf(run, name))).toEqual(expected[name]);
  });
});

const words: readonly (readonly [Name, RegExp])[] = [
  ['stops in the middle', /^claude ended with exit code 0 without reporting the end of its turn/],
  [
    'prints unknown events only',
    /^claude 3\.0\.0 printed output that assay cannot read: unknown events: novelty \(2\), .* \(the program .*; tested versions: 2\.1\.197, 2\.1\.330\)$/,
  ],
  ['prints prose only', /1 lines? that (is|are) not JSON/],
  ['has its model refused', /There's an issue with the selected model/],
  ['gets a signal', /exit code 143; the end of its stderr:\nout of cheese/],
  ['says success and exits with 3', /reported success but ended with exit code 3/],
  ['is not there', /^no-such-claude: not found on PATH$/],
];
test.each(words)('the error of an agent that %s names what happened', (name, pattern) => {
  expect(rowOf(run, name).error?.message).toMatch(pattern);
});

test('tokens, money and steps are those of its result', () => {
  const { usage, costUsd, steps } = rowOf(run, 'good');
  expect({ usage, costUsd, steps }).toEqual({
    usage: {
      agent: {
        inputTokens: 3333,
        cacheReadTokens: 1800,
        cacheWriteTokens: 33,
        outputTokens: 153,
        totalTokens: 3486,
      },
    },
    costUsd: { agent: 0.01243125 },
    steps: 3,
  });
});

test('the time after the end of the turn does not count', () => {
  const { latency: [latency = Infinity] = [], startedAt, endedAt } = rowOf(run, 'ends its turn and stays');
  // It has 10 s to go by itself.
  expect(Date.parse(endedAt) - Date.parse(startedAt) - latency).toBeGreaterThan(9_900);
});

test('a process that left the group and ignores SIGTERM is dead, and the output is whole', () => {
  const stray = Number(project.read('stray.pid'));
  expect([stray > 0, processesWith(project.marker).some(({ pid }) => pid === stray)]).toEqual([true, false]);
  const { artifactDir = '' } = rowOf(run, 'leaves a stray and hangs');
  expect(lines(join(run, artifactDir, 'stdout.log'))).toHaveLength(3);
  expect(lines(join(run, artifactDir, 'session.jsonl'))).toEqual(['{"kept":true}']);
});

test('what a sub-agent does counts, and is neither step nor answer', () => {
  const { steps, output } = rowOf(run, 'delegates to another');
  expect({ steps, output }).toEqual({ steps: 3, output: ANSWER });
  expect(effectsOf('delegates to another')).toEqual([
    { command: 'true' },
    { command: 'cat inner.txt' },
    { fileRead: expect.stringMatching(/\/inner\.txt$/) },
  ]);
});

test('unknown events of an agent that is done are told', () => {
  expect(rowOf(run, 'prints unknown events too').notes).toEqual([
    'claude printed unknown events: novelty (1)',
  ]);
  expect(ended.stdout).toContain('claude printed unknown events: novelty (1)');
});

test('no process and no private home is left', async () => {
  expect(await project.orphans()).toEqual([]);
  expect(project.litter()).toEqual([]);
});

function effectsOf(caseId: string): unknown[] {
  return eventsOf(run).flatMap(({ trial, fact }) => {
    if (fact.type !== 'transcript-entry' || trial === undefined) return [];
    const { entry } = fact;
    const isOurs = trial.includes(encodeURIComponent(caseId).replaceAll('%20', ' '));
    return isOurs && entry.type === 'tool-call' && 'effects' in entry ? [...(entry.effects ?? [])] : [];
  });
}
