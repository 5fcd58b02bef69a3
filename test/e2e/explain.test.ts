import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { claudeTurn } from '../support/claude-lines.ts';
import { fakeEnv, installFakeAgent, recordingOf, startsIn, type FakePlan } from '../support/fake-agent.ts';
import { newestRun, openProject, rowOf, type Project } from './support/project.ts';
import { until } from './support/until.ts';

const SECRET = 'sk-test-0123456789';
const SESSION = { folder: '.claude/projects/-w', file: 's-1.jsonl', text: '{"key":"$SECRET"}\n' };

const SUITE = `import { assert } from 'assay';
export const workspace = { mode: 'isolated' };
export default [{
  id: 'why', prompt: 'go',
  assert(report) {
    assert.soft.commands.includes(report, 'pnpm', { explain: { question: 'first?' } });
    assert.soft.output.includes(report, 'thanks', { explain: { question: (ctx) => 'second, after ' + ctx.finalOutput() + '?' } });
    assert.skills.has(report, 'demo');
  },
}];`;

const GENERATED =
  'A check of this session failed: Expected the skill "demo". Explain in a few sentences why you acted as you did.';

interface Asked {
  readonly project: Project;
  readonly attempt: () => string;
  readonly starts: () => ReturnType<typeof startsIn>;
  start(args: readonly string[]): ReturnType<Project['start']>;
}

function opened(plan: FakePlan = {}, more: object = {}): Asked {
  const project = openProject({ 'a.suite.ts': SUITE });
  onTestFinished(() => project[Symbol.asyncDispose]());
  installFakeAgent(project.path('bin'), ['claude', 'codex']);
  const seen = project.path('seen.jsonl');
  const env = {
    ...fakeEnv({
      seen,
      after: claudeTurn({ answer: 'done' }),
      session: SESSION,
      resumed: { after: claudeTurn({ answer: 'Because.' }) },
      byPrompt: {},
      ...plan,
    }),
    FAKE_SECRET: SECRET,
    TOLD: project.directory,
  };
  const target = { type: 'claude-code', model: 'm', env, ...more };
  project.write({
    'assay.config.json': { targets: { agent: target }, run: { redact: { names: ['FAKE_SECRET'] } } },
  });
  const PATH = `${project.path('bin')}:${process.env['PATH'] ?? ''}`;
  return {
    project,
    attempt: () => join(newestRun(project), rowOf(newestRun(project), 'why').artifactDir ?? ''),
    starts: () => startsIn(seen),
    start: (args) => project.start(args, { PATH, FAKE_SECRET: SECRET }),
  };
}

const json = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));

test('three questions get three answers in three turns of the session that was', async () => {
  const { project, attempt, start, starts } = opened({
    resumed: { after: claudeTurn({ answer: `Because of ${SECRET}.` }), stderr: 'thinking' },
  });
  const ended = await start(['run']).ended;
  expect([ended.code, ended.stderr]).toEqual([1, '']);
  const explain = json(attempt(), 'explain.json') as { directory: string; questions: readonly unknown[] };
  const source = (line: number) => ({
    file: project.path('a.suite.ts'),
    line,
    column: expect.any(Number) as number,
  });
  expect(explain).toEqual({
    formatVersion: 1,
    suite: 'a.suite.ts',
    caseId: 'why',
    targetId: 'agent',
    repetition: 1,
    attempt: 1,
    directory: starts()[0]?.cwd,
    sessionId: 's-1',
    questions: [
      { question: 'first?', source: source(6) },
      { question: 'second, after done?', source: source(7) },
      { question: GENERATED, source: source(8) },
    ],
  });
  expect(existsSync(explain.directory)).toBe(false);
  const state = join(attempt(), 'agent-state', '.claude/projects/-w/s-1.jsonl');
  expect(readFileSync(state, 'utf8')).toMatch(/^\{"key":"\[redacted:[^\]]+\]"\}\n$/);

  const asked = await start(['explain', attempt()]).ended;
  expect([asked.code, asked.stderr]).toEqual([0, '']);
  expect(asked.stdout).toContain('1. first?\n');
  const { rounds } = json(attempt(), 'explanations.json') as { rounds: { answers: object[] }[] };
  expect(rounds.map(({ answers }) => answers)).toMatchObject([
    ['first?', 'second, after done?', GENERATED].map((question, index) => ({
      question,
      answer: expect.stringMatching(/^Because of \[redacted:[^\]]+\]\.$/) as string,
      artifactDir: `explain/round-1/question-0${index + 1}`,
    })),
  ]);
  expect(readdirSync(join(attempt(), 'explain/round-1/question-02')).sort()).toEqual([
    'session.jsonl',
    'stderr.log',
    'stdout.log',
  ]);
  const turns = starts().slice(1);
  expect(turns.map(({ args }) => [args[args.indexOf('--resume') + 1], args.at(-1)])).toEqual(
    ['first?', 'second, after done?', GENERATED].map((question) => ['s-1', question]),
  );
  expect(new Set(turns.map(({ cwd }) => cwd))).toEqual(new Set([explain.directory]));
  expect(existsSync(explain.directory)).toBe(false);

  const again = await start(['explain', newestRun(project)]).ended;
  expect([again.code, starts().length]).toEqual([0, 4]);
  expect(again.stdout).toContain('Round 1');
  expect((await start(['explain', newestRun(project), '--rerun']).ended).code).toBe(0);
  expect(existsSync(join(attempt(), 'explain/round-2/question-03/stdout.log'))).toBe(true);
  expect((json(attempt(), 'explanations.json') as { rounds: unknown[] }).rounds).toHaveLength(2);
  expect(project.litter()).toEqual([]);
});

test('killed in the third question, two answers are on disk, and no process stays', async () => {
  const { project, attempt, start } = opened({ byPrompt: { [GENERATED]: { silentMs: 600_000, after: [] } } });
  await start(['run']).ended;
  const asking = start(['explain', attempt()]);
  const third = join(attempt(), 'explanations.json');
  const answers = () =>
    existsSync(third) ? (json(third) as { rounds: { answers: unknown[] }[] }).rounds[0]?.answers.length : 0;
  await until('two answers', () => answers() === 2);
  const meanwhile = await start(['explain', attempt(), '--rerun']).ended;
  expect([meanwhile.code, meanwhile.stderr]).toEqual([
    2,
    expect.stringContaining('the run is in use by process'),
  ]);
  asking.kill('SIGINT');
  expect([(await asking.ended).code, answers()]).toEqual([130, 2]);
  expect(await project.orphans()).toEqual([]);
  expect(project.litter()).toEqual([]);
  const shown = await start(['explain', attempt()]).ended;
  expect(shown.code).toBe(3);
  expect(shown.stdout).toContain('1 of 3 questions were not answered; --rerun asks again');
});

test('an agent gets questions and state only of a run that its operator recorded here', async () => {
  const { project, attempt, starts, start } = opened();
  await start(['run']).ended;
  const copy = project.path('downloads/run');
  cpSync(newestRun(project), copy, { recursive: true });
  const copied = join(copy, relative(newestRun(project), attempt()));
  const before = starts().length;
  const refused = await start(['explain', copied]).ended;
  expect([refused.code, refused.stderr, starts().length]).toEqual([
    2,
    'assay: downloads/run was not recorded by your account on this machine, and this command would send its questions to the agent agent\n  read its files explain.json and agent-state, then allow it with --trust\n',
    before,
  ]);
  expect((await start(['explain', copied, '--trust']).ended).code).toBe(0);
});

test('a binary file with a secret in it is left out and named, and no login is kept', async () => {
  const { attempt, start } = opened({
    session: { folder: '.claude', file: 'store.db', text: `\0$SECRET` },
  });
  await start(['run']).ended;
  expect(json(attempt(), 'explain.json')).toMatchObject({ leftOut: ['.claude/store.db'] });
  const state = join(attempt(), 'agent-state');
  expect(readdirSync(state, { recursive: true }).filter((path) => String(path).endsWith('.db'))).toEqual([]);
  const login = opened({ session: { folder: '.claude', file: '.credentials.json', text: '{}' } });
  await login.start(['run']).ended;
  expect(existsSync(join(login.attempt(), 'agent-state/.claude/.credentials.json'))).toBe(false);
});

test('without session, state or a failed assertion it says in one sentence what is missing', async () => {
  const { project, attempt, start } = opened();
  await start(['run']).ended;
  const refused = async (directory: string) => {
    const { code, stderr } = await start(['explain', directory]).ended;
    return [code, stderr.split('\n')[0]];
  };
  rmSync(join(attempt(), 'agent-state'), { recursive: true });
  expect(await refused(attempt())).toEqual([
    2,
    "assay: the agent cannot be asked: the agent's session was not kept",
  ]);
  const explain = json(attempt(), 'explain.json') as { sessionId?: string };
  const { sessionId: _, ...without } = explain;
  writeFileSync(join(attempt(), 'explain.json'), JSON.stringify(without));
  expect(await refused(attempt())).toEqual([
    2,
    'assay: the agent cannot be asked: the agent reported no session id',
  ]);
  expect(await refused(project.directory + '/bin')).toEqual([
    2,
    `assay: no explain.json found in ${project.directory}/bin or below`,
  ]);
  const mock = openProject({
    'assay.config.json': { targets: { mock: { type: 'mock', response: 'x' } } },
    'a.suite.ts': SUITE,
  });
  onTestFinished(() => mock[Symbol.asyncDispose]());
  await mock.assay('run', '--target', 'mock');
  const own = await mock.assay('explain', '.assay');
  expect([own.code, own.stderr.startsWith('assay: the agent cannot be asked: ')]).toEqual([2, true]);
});

test('an agent with the settings of the operator is asked in their home, and nothing of that is copied', async () => {
  const { attempt, start, starts } = opened({}, { inheritConfig: true });
  await start(['run']).ended;
  expect(readdirSync(attempt()).includes('agent-state')).toBe(false);
  const asked = await start(['explain', attempt()]).ended;
  expect([asked.code, asked.stderr]).toEqual([0, '']);
  const homes = starts().map(({ env }) => env['HOME']);
  expect([homes.length, new Set(homes).size, homes[0]?.endsWith('/home')]).toEqual([4, 1, true]);
});

test('an agent of another kind is asked in its own way, with its session back in a new home', async () => {
  const recording = (name: string) => recordingOf('codex', `0.169.0/${name}`);
  const { project, attempt, start, starts } = opened(
    {
      after: [],
      recording: recording('text'),
      session: { folder: '.codex/sessions/2026/01/01', file: 'rollout-1.jsonl', text: '{}\n' },
      does: 'mkdir -p "$HOME/.codex" && echo "$HOME" > "$HOME/.codex/state_5.sqlite"',
      resumed: { recording: recording('resume'), does: 'cp -r "$HOME/.codex" "$TOLD/came-back"' },
    },
    { type: 'codex' },
  );
  await start(['run']).ended;
  const asked = await start(['explain', attempt()]).ended;
  expect([asked.code, asked.stderr]).toEqual([0, '']);
  const { sessionId } = json(attempt(), 'explain.json') as { sessionId: string };
  expect(starts().map(({ args }) => args.slice(0, 3).join(' '))).toEqual([
    'exec --json -c',
    ...Array.from({ length: 3 }, () => `exec resume ${sessionId}`),
  ]);
  expect(project.read('came-back/sessions/2026/01/01/rollout-1.jsonl')).toBe('{}\n');
  // Its index of sessions names places in the home that was.
  expect(existsSync(project.path('came-back/state_5.sqlite'))).toBe(false);
});
