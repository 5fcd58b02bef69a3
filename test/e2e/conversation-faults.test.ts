import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Row } from '../../src/core/run.ts';
import { startModelServer, type ModelServer } from '../../src/models/mock-server/server.ts';
import { faultsOfLog } from './support/compare.ts';
import { eventsOf, manifestOf, openProject, rowOf, rowsOf, runsIn, type Project } from './support/project.ts';
import { startAgent, startJudge, startUsers, type Agent } from './support/talkers.ts';
import { until } from './support/until.ts';

const sixty = {
  messages: [{ role: 'assistant', content: 'yes' }],
  usage: { prompt_tokens: 50, completion_tokens: 10 },
};

/** What the agents of some cases do; all others say yes for ever. */
const turns = { 'agent-hangs': ['hang' as const], 'costs-too-much': [sixty] };

/** What the users of some cases say; all others ask on for ever. */
const lines = {
  'user-hangs': [{ hang: true }],
  'says-prose': [{ text: 'I would like a refund.' }],
  'says-nothing': [{ text: '' }],
  'ends-without-a-reason': [{ done: true }],
  'is-the-agent': [{ message: 'Agent: how can I help you?' }],
};

let agent: Agent;
let users: Awaited<ReturnType<typeof startUsers>>;
let judge: ModelServer;
let bot: ModelServer;
let project: Project;

const config = (more: object = {}) => ({
  target: 'agent',
  targets: {
    agent: { type: 'http', url: agent.url, price: { input: 1000, output: 1000 } },
    bot: { type: 'openai-compatible', baseUrl: `${bot.url}/v1`, model: 'any' },
  },
  user: { model: 'local/user' },
  judge: { model: 'bench/judge' },
  models: { local: { baseUrl: `${users.url}/v1` }, bench: { baseUrl: `${judge.url}/v1` } },
  ...more,
});

const named = (...ids: readonly string[]) =>
  JSON.stringify(
    ids.map((name) => ({
      name,
      initial_message: 'hello',
      persona: { type: '', description: `case:${name}`, instructions: '' },
    })),
  );

beforeAll(async () => {
  agent = await startAgent(turns);
  users = await startUsers(lines);
  judge = await startJudge(() => ({}));
  bot = await startModelServer({
    records: true,
    script: { rules: [{ reply: { toolCalls: [{ name: 'lookup', input: {} }] } }] },
  });
  project = openProject({ 'assay.config.json': config() });
});

afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await users[Symbol.asyncDispose]();
  await judge[Symbol.asyncDispose]();
  await bot[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

let runs = 0;

async function runOf(...args: readonly string[]) {
  const out = `out-${++runs}`;
  const { code, stderr } = await project.assay('run', ...args, '--out', out);
  return { code, stderr, folder: runsIn(project.path(out))[0] ?? '' };
}

function rolesIn(folder: string, id: string): string {
  return eventsOf(folder)
    .flatMap(({ trial, fact }) => {
      if (trial?.includes(`/${id}/`) !== true || fact.type !== 'transcript-entry') return [];
      return 'role' in fact.entry ? [fact.entry.role.slice(0, 1)] : [];
    })
    .join(' ');
}

const errorOf = ({ error }: Row) =>
  error && [`${error.stage}/${error.kind}`, ...(error.detail === undefined ? [] : [error.detail])].join(' ');

const judged = () => judge.requests.length;

describe('a ceiling', () => {
  const limits = { timeoutMs: 5_000 };

  test('of time interrupts whoever is asked: one attempt, the transcript is kept, no judge is asked', async () => {
    project.write({
      'timed.config.json': config({ run: { limits } }),
      'timed/all.json': named('talk-for-ever', 'user-hangs', 'agent-hangs'),
    });
    const before = judged();
    const { code, folder } = await runOf('--stored', 'timed', '--config', 'timed.config.json');
    const rows = rowsOf(folder);
    expect([code, judged() - before]).toEqual([3, 0]);
    expect(
      rows.map(({ limit, attempts, grades, end }) => [limit?.kind, limit?.ceiling, attempts, grades, end]),
    ).toEqual(
      rows.map(() => [
        'timeout',
        5_000,
        [expect.objectContaining({ error: expect.anything() })],
        [],
        undefined,
      ]),
    );
    for (const { limit } of rows) expect(limit?.reached).toBeGreaterThanOrEqual(5_000);
    expect(errorOf(rowOf(folder, 'user-hangs'))).toBe('user/timeout');
    expect(errorOf(rowOf(folder, 'agent-hangs'))).toBe('target/timeout');
    expect(errorOf(rowOf(folder, 'talk-for-ever'))).toMatch(/^(user|target)\/timeout$/);
    expect([rolesIn(folder, 'user-hangs'), rolesIn(folder, 'agent-hangs')]).toEqual(['u a', 'u']);
    expect(rolesIn(folder, 'talk-for-ever')).toMatch(/^(u a ){2,}/);
  });

  test('is an end where `on_limit` says so, and then the judge is asked', async () => {
    const before = judged();
    const graded = await runOf('--stored', 'timed', '--config', 'timed.config.json', '--on-limit', 'grade');
    const rows = rowsOf(graded.folder);
    expect([graded.code, judged() - before]).toEqual([0, 3]);
    expect(rows.map(({ verdict, limit, score }) => [verdict, limit?.kind, score])).toEqual(
      rows.map(() => ['passed', 'timeout', 0.8]),
    );
  });

  test('of money, of steps, and of time while a tool is waited for, is the target’s', async () => {
    const talk = (id: string) => ({ id, input: 'hello', user: { goals: `case:${id}` } });
    const world = {
      execution: { target: 'bot' },
      mocks: [{ tool: 'lookup', result: 'found' }],
    };
    project.write({
      'ceilings.eval.yaml': {
        tools: [{ name: 'lookup' }],
        assert: [{ type: 'regex', value: '.' }],
        tests: [
          { ...talk('costs-too-much'), limits: { max_cost_usd: 0.1 } },
          { id: 'steps-on', input: 'hello', ...world, limits: { max_steps: 3 } },
          {
            id: 'waits',
            input: 'hello',
            ...world,
            faults: [{ tool: 'lookup', kind: 'timeout', on_call: 2 }],
            limits: { timeout_ms: 2000 },
          },
        ],
      },
    });
    const { code, folder } = await runOf('ceilings.eval.yaml');
    const told = ['costs-too-much', 'steps-on', 'waits'].map((id) => {
      const row = rowOf(folder, id);
      return [errorOf(row), row.limit?.kind, row.limit?.ceiling, row.attempts.length, row.grades.length];
    });
    expect([code, told]).toEqual([
      3,
      [
        ['target/budget', 'budget', 0.1, 1, 0],
        ['target/max-steps', 'max-steps', 3, 1, 0],
        ['target/timeout', 'timeout', 2000, 1, 0],
      ],
    ]);
    expect([rowOf(folder, 'costs-too-much').limit?.reached, rolesIn(folder, 'costs-too-much')]).toEqual([
      0.12,
      'u a u a',
    ]);
  });
});

describe('a simulator', () => {
  test.each([
    ['says-prose', 'invalid'],
    ['says-nothing', 'invalid'],
    ['ends-without-a-reason', 'invalid'],
    ['is-the-agent', 'role-break'],
  ])('that %s is asked once more and then errored (%s)', async (id, detail) => {
    project.write({ [`${id}/a.json`]: named(id) });
    const before = judged();
    const { code, folder } = await runOf('--stored', id);
    const row = rowOf(folder, id);
    expect([code, errorOf(row), users.asks(id), judged() - before, rolesIn(folder, id)]).toEqual([
      3,
      `user/simulator ${detail}`,
      2,
      0,
      'u a',
    ]);
    expect(row.error?.message).toMatch(/^the simulated user gave no usable message in two attempts: /);
  });

  test('that never stops is ended by the cap of the run, which is no error', async () => {
    project.write({
      'capped.config.json': config({ run: { limits: { maxTurns: 4 } } }),
      'capped/a.json': named('endless'),
    });
    const { code, folder } = await runOf('--stored', 'capped', '--config', 'capped.config.json');
    expect([code, rowOf(folder, 'endless').end, users.asks('endless'), rolesIn(folder, 'endless')]).toEqual([
      0,
      { by: 'cap' },
      3,
      'u a u a u a u a',
    ]);
  });
});

describe('Ctrl-C in the middle', () => {
  test.each([
    ['of a turn of the agent', 'agent'],
    ['of a line of the user', 'user'],
    ['of a judgement', 'judge'],
  ])('%s leaves no end, and resume does the conversation again, whole', async (_, slow) => {
    let isHeld = true;
    const held = (who: string) => (isHeld && slow === who ? { hang: true as const } : undefined);
    const line = { json: { message: 'and then?', done: false, reason: null, note: null } };
    await using talker = await startAgent({ 'cut-off': ['yes', slow === 'agent' ? 'hang' : 'yes'] });
    await using calm = await startAgent({});
    await using player = await startModelServer({ replyTo: () => held('user') ?? line, records: true });
    await using bench = await startJudge(() => held('judge') ?? {});
    await using own = openProject({
      'assay.config.json': {
        targets: { agent: { type: 'http', url: '${{ AGENT_URL }}' } },
        user: { model: 'local/user' },
        judge: { model: 'bench/judge' },
        models: { local: { baseUrl: `${player.url}/v1` }, bench: { baseUrl: `${bench.url}/v1` } },
        run: { limits: { maxTurns: 2 } },
      },
      'cases/a.json': named('cut-off'),
    });
    const program = own.start(['run', '--stored', 'cases'], { AGENT_URL: talker.url });
    const isReached = {
      agent: () => talker.visits.length === 2,
      user: () => player.requests.length === 1,
      judge: () => bench.requests.length === 1,
    };
    await until(`the ${slow} is asked`, isReached[slow as keyof typeof isReached]);
    program.kill('SIGINT');
    await until('an answer to the signal', () => program.complaints().includes('Stopping'));
    program.kill('SIGINT');
    const ended = await program.ended;
    const [run = ''] = own.runs();
    expect([ended.code, rowsOf(run), manifestOf(run).state, faultsOfLog(run)]).toEqual([
      130,
      [],
      'interrupted',
      [],
    ]);
    isHeld = false;
    const resumed = await own.start(['resume', 'latest', '--accept-changes'], { AGENT_URL: calm.url }).ended;
    const [row] = rowsOf(run);
    expect([resumed.code, row?.verdict, row?.turns, row?.end]).toEqual([0, 'passed', 2, { by: 'cap' }]);
    expect(await own.orphans()).toEqual([]);
  });
});
