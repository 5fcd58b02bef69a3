import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { claudeTurn } from '../support/claude-lines.ts';
import { fakeEnv, installFakeAgent, startsIn } from '../support/fake-agent.ts';
import { eventsOf, openProject, rowOf, rowsOf, runsIn, type Project } from './support/project.ts';
import { startJudge, startUsers } from './support/talkers.ts';

const SESSION = 'a2c07952-da63-46b7-92ac-e3381d0103b3';
const QUESTION = 'Which branch shall I build?';
const LINE = 'Build the branch main.';

const first = claudeTurn({ answer: QUESTION, sessionId: SESSION, tokens: { input: 100, output: 10 } });
const second = claudeTurn({
  answer: 'DONE: main is built.',
  sessionId: SESSION,
  commands: ['make main'],
  tokens: { input: 300, output: 30 },
});

let users: Awaited<ReturnType<typeof startUsers>>;
let judge: Awaited<ReturnType<typeof startJudge>>;
let project: Project;

beforeAll(async () => {
  users = await startUsers({
    'talks-twice': [{ message: LINE, done: true, reason: 'satisfied' }],
    'is-silent': [{ message: ' ' }],
    stored: [{ message: LINE, done: true, reason: 'satisfied' }],
  });
  judge = await startJudge(() => ({}));
  project = openProject({});
  installFakeAgent(project.path('bin'), ['claude']);
  const plan = {
    version: '2.1.330 (Claude Code)',
    seen: project.path('seen.jsonl'),
    after: first,
    does: 'echo first >> turns.txt',
    resumed: { after: second, does: 'echo second >> turns.txt' },
  };
  project.write({
    'assay.config.json': {
      targets: { claude: { type: 'claude-code', model: 'some-model', env: fakeEnv(plan) } },
      user: { model: 'local/user' },
      judge: { model: 'bench/judge' },
      models: { local: { baseUrl: `${users.url}/v1` }, bench: { baseUrl: `${judge.url}/v1` } },
      run: { retryInfrastructure: 0 },
    },
  });
});

afterAll(async () => {
  await users[Symbol.asyncDispose]();
  await judge[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

let runs = 0;

async function runOf(...args: readonly string[]) {
  const out = `out-${++runs}`;
  const PATH = `${project.path('bin')}:${process.env['PATH'] ?? ''}`;
  const { code, stderr } = await project.start(['run', ...args, '--out', out], { PATH }).ended;
  return { code, stderr, folder: runsIn(project.path(out))[0] ?? '' };
}

const person = (id: string) => ({
  persona: {
    type: 'CANARY-type',
    description: `case:${id} CANARY-person`,
    instructions: 'CANARY-instructions',
  },
  context: { branch: 'main', more: 'CANARY-context' },
});

function saidIn(folder: string): readonly string[] {
  return eventsOf(folder).flatMap(({ fact }) =>
    fact.type === 'transcript-entry' && 'parts' in fact.entry
      ? fact.entry.parts.map((part) => `${fact.entry.turn} ${'text' in part ? part.text : ''}`)
      : [],
  );
}

describe('a simulated user and a coding agent', () => {
  test('talk in one session and one workspace: the second line resumes what the first began', async () => {
    project.write({
      'talk.eval.yaml': {
        workspace: { template: './template' },
        tests: [
          {
            id: 'talks-twice',
            input: 'Build it.',
            user: { ...person('talks-twice'), goals: ['CANARY-goal'] },
            assert: [
              { type: 'contains', value: 'DONE' },
              { type: 'commands', ran: ['make main'] },
              { type: 'files', contains: { 'turns.txt': 'first\nsecond' } },
            ],
          },
        ],
      },
      'template/README.md': 'A project.\n',
    });
    const { code, stderr, folder } = await runOf('talk.eval.yaml');
    const { end, turns, usage, latency, grades } = rowOf(folder, 'talks-twice');
    expect([code, stderr, grades.map(({ score }) => score)]).toEqual([0, '', [1, 1, 1]]);
    expect([saidIn(folder), turns, end, latency?.length]).toEqual([
      ['1 Build it.', `2 ${QUESTION}`, `3 ${LINE}`, '4 DONE: main is built.'],
      2,
      { by: 'user', reason: 'satisfied' },
      2,
    ]);
    expect([usage.agent?.totalTokens, usage.user?.totalTokens, users.asks('talks-twice')]).toEqual([
      440, 110, 1,
    ]);
    const starts = startsIn(project.path('seen.jsonl'));
    const resumed = starts.map(({ args }) => args[args.indexOf('--resume') + 1] === SESSION);
    expect([resumed, new Set(starts.map(({ cwd }) => cwd)).size]).toEqual([[false, true], 1]);
    expect(JSON.stringify(starts)).not.toContain('CANARY');
  });

  test('are judged as stored cases too', async () => {
    const { persona, context } = person('stored');
    project.write({
      'cases/a.json': {
        name: 'stored',
        initial_message: 'Build it.',
        persona,
        user_context: context,
        expected_outcomes: { built: true },
      },
    });
    const { code, stderr, folder } = await runOf('--stored', 'cases');
    const [row] = rowsOf(folder);
    expect([code, stderr, row?.verdict, row?.overall, row?.turns]).toEqual([0, '', 'passed', 80, 2]);
    expect(JSON.stringify(judge.requests)).not.toContain('CANARY');
  });

  test('a user that says nothing is not measured, and the agent is left as it is', async () => {
    const silent = { id: 'is-silent', input: 'Build it.', user: person('is-silent') };
    project.write({
      'silent.eval.yaml': { tests: [{ ...silent, assert: [{ type: 'contains', value: 'DONE' }] }] },
    });
    const before = startsIn(project.path('seen.jsonl')).length;
    const { code, folder } = await runOf('silent.eval.yaml');
    const { error } = rowOf(folder, 'is-silent');
    expect([code, error?.stage, error?.kind, error?.detail]).toEqual([3, 'user', 'simulator', 'blank']);
    expect(startsIn(project.path('seen.jsonl')).length - before).toBe(1);
    expect(await project.orphans()).toEqual([]);
  });
});
