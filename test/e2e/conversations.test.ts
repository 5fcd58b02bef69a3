import { cpSync, readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import type { Row } from '../../src/core/run.ts';
import { startModelServer } from '../../src/models/mock-server/server.ts';
import { openProject } from './support/here.ts';
import { eventsOf, rowOf, rowsOf, runsIn, type Project } from './support/project.ts';
import { startAgent, startJudge, startUsers, type Agent } from './support/talkers.ts';

const done = { done: true, reason: 'satisfied' };

/** Cases of one run: what stands in the file, and the lines of their users. */
const cases = {
  'cap-1': { test: { input: 'hello', user: { max_turns: 1 } } },
  'cap-2': { test: { input: 'hello', user: { max_turns: 2 } } },
  'no-initial': { test: { user: { max_turns: 1 } } },
  'then-done': { test: { input: 'hello', user: {} }, lines: [{ message: 'and?' }, done] },
  'done-at-once': { test: { input: 'hello', user: {} }, lines: [done] },
  'message-with-done': { test: { input: 'hello', user: {} }, lines: [{ message: 'thanks', ...done }] },
  'agent-ends': { test: { input: 'hello', user: {} } },
  'agent-ends-second': { test: { input: 'hello', user: { max_turns: 2 } } },
  'http-500': { test: { input: 'hello', user: {} } },
  'blank-twice': { test: { input: 'hello', user: {} }, lines: [{ message: ' ' }] },
  'role-break': {
    test: { input: 'hello', user: { max_turns: 2 } },
    lines: [{ message: 'Assistant: hello' }, { message: 'a proper line' }],
  },
  'done-before-a-word': { test: { user: {} }, lines: [done] },
  'out-of-reach': { test: { input: 'hello', user: {} }, lines: [{ status: 401 }] },
  'too-many-tokens': { test: { input: 'hello', user: {}, limits: { max_tokens: 100 } } },
  'untold-tokens': { test: { input: 'hello', user: { max_turns: 1 }, limits: { max_tokens: 100 } } },
  'never-ends': { test: { input: 'hello', user: {}, limits: { timeout_ms: 3_000 } } },
  invents: { test: { input: 'hello', user: { max_turns: 2 } }, lines: [{ message: 'It is ORD-99999.' }] },
  'stops-early': { test: { input: 'hello', user: {} }, lines: [done] },
  'turn-index': { test: { input: 'hello', user: { max_turns: 3 } } },
};

const ending = { messages: [{ role: 'assistant', content: 'bye' }], end: { reason: 'solved' } };
const sixty = {
  messages: [{ role: 'assistant', content: 'yes' }],
  usage: { prompt_tokens: 50, completion_tokens: 10 },
};
const turns = {
  'agent-ends': [ending],
  'agent-ends-second': ['yes', ending],
  'http-500': ['yes', 500],
  'too-many-tokens': [sixty],
  'never-ends': ['hang' as const],
  'stops-early': ['Shall I go ahead?'],
};

const OK = [{ type: 'regex', value: '.' }];

const suiteOf = (some: Readonly<Record<string, { readonly test: object }>>) => ({
  assert: OK,
  tests: Object.entries(some).map(([id, { test: own }]) => {
    const user = (own as { user?: object }).user;
    return { id, ...own, ...(user === undefined ? {} : { user: { goals: `case:${id}`, ...user } }) };
  }),
});

let agent: Agent;
let users: Awaited<ReturnType<typeof startUsers>>;
let judge: Awaited<ReturnType<typeof startJudge>>;
let project: Project;
let run: string;

const linesOf = () =>
  Object.fromEntries(
    Object.entries(cases).flatMap(([id, each]) => ('lines' in each ? [[id, each.lines]] : [])),
  );

const config = (more: object = {}) => ({
  targets: { agent: { type: 'http', url: agent.url, retryInfrastructure: 0 } },
  user: { model: 'local/user' },
  judge: { model: 'bench/judge' },
  models: { local: { baseUrl: `${users.url}/v1` }, bench: { baseUrl: `${judge.url}/v1` } },
  ...more,
});

beforeAll(async () => {
  agent = await startAgent(turns);
  users = await startUsers(linesOf());
  judge = await startJudge(() => ({}));
  project = openProject({ 'assay.config.json': config(), 'all.eval.yaml': suiteOf(cases) });
  run = (await runOf('all.eval.yaml')).folder;
});

afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await users[Symbol.asyncDispose]();
  await judge[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

let runs = 0;

async function runOf(...args: readonly string[]) {
  const out = `out-${++runs}`;
  const { code, stderr, stdout } = await project.assay('run', ...args, '--out', out);
  const [folder = ''] = runsIn(project.path(out));
  return { code, stderr, stdout, folder };
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

describe('the loop', () => {
  test.each([
    ['cap-1', 'u a', 0, { by: 'cap' }],
    ['cap-2', 'u a u a', 1, { by: 'cap' }],
    ['no-initial', 'u a', 1, { by: 'cap' }],
    ['then-done', 'u a u a', 2, { by: 'user', reason: 'satisfied' }],
    ['done-at-once', 'u a', 1, { by: 'user', reason: 'satisfied' }],
    ['message-with-done', 'u a u a', 1, { by: 'user', reason: 'satisfied' }],
    ['agent-ends', 'u a', 0, { by: 'agent', reason: 'solved' }],
    ['agent-ends-second', 'u a u a', 1, { by: 'agent', reason: 'solved' }],
    ['http-500', 'u a u', 1, 'target/http-error http-500'],
    ['blank-twice', 'u a', 2, 'user/simulator blank'],
    ['done-before-a-word', '', 1, 'user/simulator'],
    ['out-of-reach', 'u a', 1, 'user/simulator unavailable'],
  ])('%s: %s, %d asks', (id, roles, asks, end) => {
    const row = rowOf(run, id);
    expect([rolesIn(run, id), users.asks(id), row.end ?? errorOf(row)]).toEqual([roles, asks, end]);
    expect(row.verdict).toBe(typeof end === 'string' ? 'errored' : 'passed');
  });

  test('agent first, scripted lines and caps on them', async () => {
    const scripted = (...texts: readonly string[]) => ({ turns: texts.map((input) => ({ input })) });
    project.write({
      'scripted.eval.yaml': suiteOf({
        one: { test: scripted('a') },
        three: { test: scripted('a', 'b', 'c') },
        capped: { test: { ...scripted('a', 'b', 'c'), limits: { max_turns: 2 } } },
      }),
      'first.eval.yaml': suiteOf({ first: { test: { input: 'hello', user: { max_turns: 2 } } } }),
      'lines.config.json': config({ user: { type: 'scripted', messages: ['a', 'b'] } }),
      'lines.eval.yaml': suiteOf({ lines: { test: { input: 'hello', user: {} } } }),
    });
    const scriptedRun = (await runOf('scripted.eval.yaml')).folder;
    const firstRun = (await runOf('first.eval.yaml', '--first-speaker', 'agent')).folder;
    const linesRun = (await runOf('lines.eval.yaml', '--config', 'lines.config.json')).folder;
    const seen = (folder: string, id: string) => [rolesIn(folder, id), rowOf(folder, id).end];
    expect([
      seen(scriptedRun, 'one'),
      seen(scriptedRun, 'three'),
      seen(scriptedRun, 'capped'),
      seen(firstRun, 'first'),
      seen(linesRun, 'lines'),
    ]).toEqual([
      ['u a', { by: 'script' }],
      ['u a u a u a', { by: 'script' }],
      ['u a u a', { by: 'cap' }],
      ['a u a', { by: 'cap' }],
      ['u a u a u a', { by: 'script' }],
    ]);
    expect([users.asks('first'), users.asks('lines')]).toEqual([0, 0]);
  });
});

describe('limits', () => {
  test('tokens of the agent, not of its user, meet their ceiling after the second turn', () => {
    const row = rowOf(run, 'too-many-tokens');
    expect([row.limit, errorOf(row), rolesIn(run, 'too-many-tokens')]).toEqual([
      { kind: 'token-limit', ceiling: 100, reached: 120 },
      'target/token-limit',
      'u a u a',
    ]);
    expect([row.usage.agent?.totalTokens, row.usage.user?.totalTokens]).toEqual([120, 110]);
  });

  test('a ceiling that the agent leaves in the dark is told', () => {
    const row = rowOf(run, 'untold-tokens');
    expect([row.verdict, row.unenforced]).toEqual(['passed', ['maxTokens']]);
  });

  test('a conversation that nobody ends is interrupted in time, once, and not graded', async () => {
    const row = rowOf(run, 'never-ends');
    expect([errorOf(row), row.attempts.length, row.grades, rolesIn(run, 'never-ends')]).toEqual([
      'target/timeout',
      1,
      [],
      'u',
    ]);
    expect(row.limit).toMatchObject({ kind: 'timeout', ceiling: 3_000 });
    const graded = await runOf('all.eval.yaml', '--case', 'too-many-tokens', '--on-limit', 'grade');
    const again = rowOf(graded.folder, 'too-many-tokens');
    expect([again.verdict, again.limit?.kind, again.grades.length]).toEqual(['passed', 'token-limit', 1]);
  });
});

describe('simulated users', () => {
  test('a line in a foreign part is asked for again, and both asks count', () => {
    const row = rowOf(run, 'role-break');
    expect(row.usage.user?.totalTokens).toBe(220);
    expect(users.asks('role-break')).toBe(2);
    const said = agent.visits
      .filter(({ id }) => id === 'role-break')
      .at(-1)
      ?.messages.at(-1);
    expect(said).toEqual({ role: 'user', content: 'a proper line' });
    const [, second] = users.requests.filter(({ body }) => JSON.stringify(body).includes('case:role-break'));
    expect(JSON.stringify(second)).toContain('speaker label');
  });

  test('what is doubtful is flagged and leaves the verdict alone; enforced, it is not measured', async () => {
    const flags = (folder: string) => ['invents', 'stops-early'].map((id) => rowOf(folder, id).flags);
    expect(flags(run)).toEqual([['unknown-fact'], ['early-stop']]);
    expect(rowOf(run, 'invents').verdict).toBe('passed');
    const four = ['invents', 'stops-early', 'cap-2', 'no-initial'].flatMap((id) => ['--case', id]);
    const { stdout } = await runOf('all.eval.yaml', ...four, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      totals: { counts: { passed: 4 }, simulatorError: { value: 0.5, flagged: 2, simulated: 4 } },
    });
    project.write({ 'strict.config.json': config({ user: { model: 'local/user', audit: 'enforce' } }) });
    const strict = await runOf('all.eval.yaml', '--case', 'invents', '--config', 'strict.config.json');
    expect(errorOf(rowOf(strict.folder, 'invents'))).toBe('user/simulator audit');
    expect(strict.code).toBe(3);
  });

  test('an agent over HTTP sees the turns counted, and one key a turn, another one in another run', async () => {
    const visits = () => agent.visits.filter(({ id }) => id === 'turn-index');
    expect(visits().map(({ turn }) => turn)).toEqual([0, 1, 2]);
    const keys = visits().map(({ idempotencyKey }) => idempotencyKey);
    await runOf('all.eval.yaml', '--case', 'turn-index');
    const all = visits().map(({ idempotencyKey }) => idempotencyKey);
    expect([keys.length, new Set(all).size, keys.every((key) => /^[0-9a-f]{32}$/.test(key))]).toEqual([
      3,
      6,
      true,
    ]);
  });
});

describe('who sees what', () => {
  const stored = {
    name: 'canaries',
    description: 'CANARY-description',
    persona: {
      type: 'CANARY-type',
      description: 'case:canaries CANARY-persona',
      instructions: 'CANARY-instructions',
    },
    initial_message: 'CANARY-initial',
    user_context: { b: 'CANARY-context', a: 1 },
    max_turns: 2,
    expected_outcomes: { 'CANARY-outcome': true },
    expected_tool_calls: [{ tool: 'CANARY-tool', expected_params: { a: 'CANARY-params' } }],
    evaluation_criteria_override: 'CANARY-override',
  };
  const canariesIn = (text: string) => [...new Set(text.match(/CANARY-\w+/g))].sort();
  const prompts = (id: string) =>
    users.requests.flatMap(({ body }) => {
      const [first] = (body as { messages: readonly { content: string }[] }).messages;
      return first?.content.includes(`case:${id}`) === true ? [first.content] : [];
    });

  test('the user never sees what is expected, the agent never who the user is, the judge never the persona', async () => {
    const entries = [{ type: 'contains', value: 'CANARY-run', negate: true }];
    project.write({
      'stored.config.json': config({
        run: { expectations: entries },
        judge: { model: 'bench/judge', toolCalls: 'report' },
      }),
      'cases/canaries.yaml': JSON.stringify(stored),
    });
    const { code, stderr, folder } = await runOf('--stored', 'cases', '--config', 'stored.config.json');
    expect([code, stderr]).toEqual([0, '']);
    const asked = users.requests.filter(({ body }) => JSON.stringify(body).includes('case:canaries'));
    expect([asked.length, canariesIn(JSON.stringify(asked))]).toEqual([
      1,
      ['CANARY-context', 'CANARY-initial', 'CANARY-instructions', 'CANARY-persona', 'CANARY-type'],
    ]);
    const visits = agent.visits.filter(({ id }) => id === 'canaries');
    expect([visits.length, canariesIn(JSON.stringify(visits))]).toEqual([2, ['CANARY-initial']]);
    expect(visits.map(({ messages }) => messages[0])).toEqual([
      { role: 'user', content: 'CANARY-initial' },
      { role: 'user', content: 'CANARY-initial' },
    ]);
    expect(visits[0]?.trial).toBe('stored/canaries/agent/r1');
    const judged = judge.requests.filter(({ body }) => JSON.stringify(body).includes('CANARY'));
    expect([judged.length, canariesIn(JSON.stringify(judged))]).toEqual([
      1,
      ['CANARY-initial', 'CANARY-outcome', 'CANARY-override', 'CANARY-params', 'CANARY-tool'],
    ]);
    expect(rowsOf(folder).map(({ suite, caseId }) => [suite, caseId])).toEqual([['stored', 'canaries']]);
  });

  test('one knowledge is one prompt, whatever the order of its keys and wherever it is written', async () => {
    const person = { type: 'p', description: 'case:orders', instructions: 'i' };
    project.write({
      'orders.config.json': config({ run: { expectations: [{ type: 'regex', value: '.' }] } }),
      'orders/a.yaml':
        'name: orders\npersona: { type: p, description: "case:orders", instructions: i }\nmax_turns: 1\nuser_context: { z: { b: 1, a: 2 }, "10": x, "9": y }\n',
      'orders.eval.yaml': {
        assert: OK,
        tests: [
          {
            id: 'o',
            user: { persona: person, context: { '9': 'y', '10': 'x', z: { a: 2, b: 1.0 } }, max_turns: 1 },
          },
        ],
      },
    });
    await runOf('--stored', 'orders', '--config', 'orders.config.json');
    await runOf('orders.eval.yaml');
    const [one, two] = prompts('orders');
    expect([one === two, one?.includes('"10": "x",\n  "9": "y"')]).toEqual([true, true]);
  });
});

describe('the judge of stored cases', () => {
  const outcomes = { a: true, b: 'so', c: false };
  const tool = (name: string, id: number) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: `${name}-${id}`, type: 'function', function: { name, arguments: { id } } }],
  });
  const result = (name: string, id: number) => ({
    role: 'tool',
    tool_call_id: `${name}-${id}`,
    content: 'ok',
  });
  const looks = (...ids: readonly number[]) => ({
    messages: [
      ...ids.flatMap((id) => [tool('lookup', id), result('lookup', id)]),
      { role: 'assistant', content: 'done' },
    ],
    end: true,
  });
  const lookup = (id?: number) => ({
    tool: 'lookup',
    ...(id === undefined ? {} : { expected_params: { id } }),
  });

  /** By name: the case, and what the judge says of it. */
  const judged = {
    'gate-falls': { case: { expected_outcomes: outcomes }, said: { usual: 5, broken: ['c'] } },
    'gates-hold': { case: { expected_outcomes: outcomes }, said: { usual: 3 } },
    'no-outcomes-3': { case: {}, said: { usual: 3 } },
    'no-outcomes-4': { case: {}, said: { usual: 4 } },
    'override-4': { case: { evaluation_criteria_override: 'Kind?' }, said: { usual: 4 } },
    'override-3': { case: { evaluation_criteria_override: 'Kind?' }, said: { usual: 3 } },
    'calls-met': { case: { expected_tool_calls: [lookup(), lookup(1)] }, said: {} },
    'call-twice': { case: { expected_tool_calls: [lookup(), lookup(), lookup()] }, said: {} },
    'calls-none': { case: { expected_tool_calls: [] }, said: {} },
    forbidden: { case: {}, said: {} },
    'judge-astray': { case: {}, said: { text: 'I liked it.' } },
    'judge-away': { case: {}, said: { status: 401 } },
  };

  test('outcomes and calls are gates, the score decides where there are none, and a judge astray is an error', async () => {
    const desk = {
      'calls-met': [looks(1, 2)],
      'call-twice': [looks(1, 2)],
      'calls-none': [looks(1)],
      forbidden: [looks(7)],
    };
    await using talker = await startAgent(desk);
    await using bench = await startJudge((prompt) => {
      const [, name = ''] = /case:([\w-]+)/.exec(prompt) ?? [];
      return judged[name as keyof typeof judged].said;
    });
    project.write({
      'judged.config.json': {
        targets: { agent: { type: 'http', url: talker.url } },
        user: { model: 'local/user' },
        judge: { model: 'bench/judge' },
        models: { local: { baseUrl: `${users.url}/v1` }, bench: { baseUrl: `${bench.url}/v1` } },
        run: {
          expectations: [{ type: 'tool_calls', not_called: [{ tool: 'lookup', args: { id: 7 } }] }],
        },
      },
      'judged/all.json': JSON.stringify(
        Object.entries(judged).map(([name, each]) => ({
          name,
          initial_message: `case:${name}`,
          max_turns: 1,
          ...each.case,
        })),
      ),
    });
    const { code, stdout, folder } = await runOf('--stored', 'judged', '--config', 'judged.config.json');
    const outcome = (each: Row) => [
      each.caseId,
      each.verdict,
      each.overall ?? null,
      each.threshold,
      ...(each.error === undefined ? each.fallenGates : [errorOf(each)]),
    ];
    const expected = [
      ['gate-falls', 'failed', 100, 0, 'judge/outcome/c'],
      ['gates-hold', 'passed', 60, 0],
      ['no-outcomes-3', 'failed', 60, 0.75],
      ['no-outcomes-4', 'passed', 80, 0.75],
      ['override-4', 'passed', 80, 0.75],
      ['override-3', 'failed', 60, 0.75],
      ['calls-met', 'passed', 80, 0.75],
      ['call-twice', 'failed', 80, 0.75, 'expected_tool_calls'],
      ['calls-none', 'failed', 80, 0.75, 'expected_tool_calls'],
      ['forbidden', 'failed', 80, 0.75, 'tool_calls'],
      ['judge-astray', 'errored', null, 0.75, 'grading/grader judge-invalid'],
      ['judge-away', 'errored', null, 0.75, 'grading/grader judge-unavailable'],
    ];
    expect([code, rowsOf(folder).map(outcome).toSorted()]).toEqual([1, expected.toSorted()]);
    expect(stdout).toContain('score 60 of 100 is the weighted mean of: judge/tool_routing 60 (weight 0.15)');
    expect(rowOf(folder, 'gates-hold').usage.judge?.totalTokens).toBe(1100);
    const asks = bench.requests.length;
    expect(asks).toBe(10 + 3 + 1);
    await project.assay('grade', folder, '--out', 'judged-again');
    const [again = ''] = runsIn(project.path('judged-again'));
    expect([rowsOf(again).map(outcome).toSorted(), talker.visits.length]).toEqual([expected.toSorted(), 12]);
    expect(bench.requests.length).toBe(asks * 2);
  });
});

describe('before anything runs', () => {
  test('a case that needs a user and a config that has none, and stored cases that nothing would grade', async () => {
    project.write({
      'lonely.config.json': { targets: { agent: { type: 'http', url: agent.url } } },
      'lonely/a.yaml': 'name: a\n',
      'lonely/b.yaml': 'name: b\ninitial_message: hi\nmax_turns: 1\n',
      'lonely.eval.yaml': suiteOf({
        a: { test: { user: {} } },
        b: { test: { input: 'x', user: { max_turns: 1 } } },
      }),
    });
    const first = await runOf('lonely.eval.yaml', '--config', 'lonely.config.json');
    expect([first.code, first.stderr]).toEqual([
      2,
      expect.stringContaining(
        'no-user  the case "a" needs a simulated user, but no model is configured for it',
      ),
    ]);
    expect(first.stderr).not.toContain('the case "b"');
    const second = await runOf('--stored', 'lonely', '--config', 'lonely.config.json');
    expect([second.code, second.stderr.match(/^\S+ {2}no-\w+/gm)]).toEqual([
      2,
      ['lonely/a.yaml  no-user', 'lonely/a.yaml  no-judge'],
    ]);
    project.write({ 'idle.config.json': config({ judge: { model: 'bench/judge', metrics: [] } }) });
    const idle = await runOf('--stored', 'lonely', '--config', 'idle.config.json');
    expect([idle.code, idle.stderr.match(/lonely\/\w\.yaml\S*  \S+/g)]).toEqual([
      2,
      ['lonely/a.yaml  nothing-to-grade', 'lonely/b.yaml  nothing-to-grade'],
    ]);
    const choices = [{ metric: 'tool_routng' }, { metric: 'task_completion' }];
    project.write({ 'odd.config.json': config({ judge: { model: 'bench/judge', metrics: choices } }) });
    const odd = await runOf('--stored', 'lonely', '--config', 'odd.config.json');
    expect([odd.code, odd.stderr]).toEqual([
      2,
      expect.stringMatching(/unknown metric "tool_routng".*did you mean tool_routing.*\n.*needs a weight/s),
    ]);
    project.write({ 'keyless.config.json': config({ user: { model: 'openai/gpt-4o-mini' } }) });
    const keyless = await runOf('--stored', 'lonely', '--config', 'keyless.config.json');
    expect([keyless.code, keyless.stderr.match(/no API key for [^:]+/g)]).toEqual([
      2,
      ['no API key for openai/gpt-4o-mini'],
    ]);
    const capped = await runOf('--stored', 'lonely/b.yaml', '--config', 'keyless.config.json');
    expect(capped.stderr).not.toContain('there is no key');
    project.write({ 'talks.config.json': config({}) });
    const dry = await project.assay('run', '--stored', 'lonely', '--config', 'talks.config.json', '--dry');
    expect([dry.code, dry.stdout]).toEqual([
      0,
      expect.stringContaining(
        'endless-talk  the case "a" has a simulated user and no limit for turns, so a conversation can last until the trial times out',
      ),
    ]);
    const third = await runOf('--stored');
    expect([third.code, third.stderr]).toEqual([2, expect.stringContaining('this project has no store')]);
    expect(users.asks('unknown')).toBe(0);
  });
});

describe('a target', () => {
  const lending = (more: object, judging: object = {}) => ({
    ...config(more),
    targets: {
      agent: { type: 'http', url: agent.url },
      oracle: { type: 'model', model: 'bench/judge' },
      clerk: { type: 'model', model: 'local/user' },
      program: { type: 'mock', response: 'hm', ...judging },
    },
    target: 'agent',
  });

  test('that judges and one that plays the user take settings over their own, metrics among them', async () => {
    const oracle = {
      target: 'oracle',
      metrics: [{ metric: 'response_delivery' }],
      passThreshold: 90,
      samples: 2,
    };
    project.write({
      'lent.config.json': lending({ judge: oracle, user: { target: 'clerk', audit: 'off' } }),
      'lent/a.yaml': 'name: a\ninitial_message: hi\nmax_turns: 1\n',
    });
    const { code, folder } = await runOf('--stored', 'lent', '--config', 'lent.config.json');
    const { verdict, threshold, overall, grades } = rowOf(folder, 'a');
    expect([code, verdict, threshold, overall]).toEqual([1, 'failed', 0.9, 80]);
    const [grade] = grades;
    expect([grade?.name, grade?.details]).toEqual([
      'judge/response_delivery',
      expect.objectContaining({ judge: 'oracle', answers: 2 }),
    ]);
  });

  test('that judges and is not a model takes no setting of a model', async () => {
    project.write({
      'hm.config.json': lending({ judge: { target: 'program', temperature: 0, metrics: [] } }),
      'hm/a.yaml': 'name: a\ninitial_message: hi\nmax_turns: 1\nexpected_outcomes: { x: y }\n',
    });
    const { code, stderr } = await runOf('--stored', 'hm', '--config', 'hm.config.json');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        'judge-not-a-model  judge.temperature: only a model takes this setting, but the target "program" is of type mock',
      ),
    ]);
  });
});

describe('the example', () => {
  test('its five cases pass with users that a script plays, each to its own end', async () => {
    const folder = new URL('../../examples/test-cases/', import.meta.url);
    const script: unknown = parse(readFileSync(new URL('models.script.yaml', folder), 'utf8'));
    await using visitors = await startModelServer({ script: script as object });
    cpSync(folder, project.path('example'), { recursive: true });
    for (const name of ['example/assay.config.yaml', 'example/assay.config.service.yaml']) {
      project.write({ [name]: project.read(name).replace('http://127.0.0.1:4010', visitors.url) });
    }
    const { code, stderr, stdout, folder: kept } = await runOf('--stored', 'example');
    expect([code, stderr]).toEqual([0, '']);
    const ends = rowsOf(kept).map(({ caseId, verdict, turns: count, end }) => [caseId, verdict, count, end]);
    expect(ends.toSorted()).toEqual([
      ['asks for an address', 'passed', 2, { by: 'user', reason: 'gave-up' }],
      ['renew both books', 'passed', 3, { by: 'agent', reason: 'tool:farewell' }],
      ['renew one book', 'passed', 3, { by: 'agent', reason: 'tool:farewell' }],
      ['says nothing useful', 'passed', 2, { by: 'user', reason: 'handed-over' }],
      ['wrong card first', 'passed', 3, { by: 'agent', reason: 'tool:farewell' }],
    ]);
    expect(rowsOf(kept).map(({ flags }) => flags ?? [])).toEqual([[], [], [], [], []]);
    const overalls = rowsOf(kept).map(({ caseId, overall, threshold }) => [caseId, overall, threshold]);
    expect(overalls.toSorted()).toEqual([
      ['asks for an address', 80, 0],
      ['renew both books', 98, 0],
      ['renew one book', 100, 0],
      ['says nothing useful', 100, 0],
      ['wrong card first', 100, 0],
    ]);
    expect(stdout).toContain('judge/tool_routing 4/4; ');
    const service = ['--config', 'example/assay.config.service.yaml'];
    const served = await runOf('--stored', 'example/cases', ...service);
    expect([
      served.code,
      rowsOf(served.folder)
        .map(({ end }) => end?.reason)
        .toSorted(),
    ]).toEqual([0, ['farewell', 'farewell', 'farewell', 'gave-up', 'handed-over']]);
    const graded = await project.assay('grade', kept, '--out', 'graded');
    const [again = ''] = runsIn(project.path('graded'));
    expect([graded.code, rowsOf(again).map(({ suite, verdict }) => `${suite} ${verdict}`)]).toEqual([
      0,
      Array.from({ length: 5 }, () => 'stored passed'),
    ]);
    expect(stdout).toMatch(
      /spent: agent tokens unknown, cost unknown; simulated users \d+ tokens, cost unknown/,
    );
  });
});

describe('assay cases', () => {
  test('validates, lists and shows files', async () => {
    project.write({ 'some/a.yaml': '- name: one\n- name: two\n  status: draft\n', 'bad/b.yaml': 'nam: x\n' });
    const results = await Promise.all(
      [
        ['validate', 'some'],
        ['validate', 'bad'],
        ['list', 'some'],
        ['show', 'two', 'some'],
        ['show', 'three', 'some'],
      ].map((args) => project.assay('cases', ...args)),
    );
    expect(results.map(({ code }) => code)).toEqual([0, 2, 0, 0, 2]);
    expect(results[0]?.stdout).toBe('1 file and 2 test cases checked: no problems\n');
    expect(results[1]?.stdout).toContain('bad/b.yaml:1:1  missing-key  `name` is missing');
    expect(results[2]?.stdout).toBe('one  (active, normal)  some/a.yaml\n');
    expect(JSON.parse(results[3]?.stdout ?? '')).toMatchObject({
      name: 'two',
      status: 'draft',
      max_turns: null,
    });
    expect(results[4]?.stderr).toContain('unknown test case "three"');
  });
});
