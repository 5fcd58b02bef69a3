import { createHmac } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { startModelServer } from '../../src/models/mock-server/server.ts';
import { claudeTurn } from '../support/claude-lines.ts';
import { countingAgent, type CountingAgent } from './support/counting-agent.ts';
import { openProject } from './support/here.ts';
import { newestRun, rowsOf, type Project } from './support/project.ts';
import { startUsers } from './support/talkers.ts';

const evalOf = (tests: readonly object[]) => ({ 'some.eval.yaml': { tests } });
const ONE = { id: 'one', input: 'Hello', assert: [{ type: 'contains', value: 'Hello' }] };

async function askedProject(): Promise<{ agent: CountingAgent; project: Project } & AsyncDisposable> {
  const agent = await countingAgent((said) => `You said ${said}`);
  agent.allow(100);
  const target = { type: 'http', url: agent.url };
  const project = openProject({ ...evalOf([ONE]), 'assay.config.json': { targets: { agent: target } } });
  return {
    agent,
    project,
    async [Symbol.asyncDispose]() {
      await project[Symbol.asyncDispose]();
      await agent[Symbol.asyncDispose]();
    },
  };
}

const answersFolder = (project: Project) => project.path('.assay/cache/answers');

test('a second run with --cache asks no agent, and says on its row where the answer comes from', async () => {
  await using both = await askedProject();
  const { agent, project } = both;
  await project.assay('run', '--cache');
  const [first] = rowsOf(newestRun(project));
  const told = await project.assay('run', '--cache');
  const [row] = rowsOf(newestRun(project));
  expect(agent.asked()).toBe(1);
  expect([told.code, told.stderr]).toEqual([0, '']);
  expect(told.stdout).toContain(
    '1 answer is cached: from earlier runs, without latency, tokens and cost of the agent',
  );
  expect(row).toMatchObject({
    verdict: 'passed',
    output: 'You said Hello',
    usage: {},
    costUsd: {},
    turns: 1,
  });
  expect(first?.cached).toBeUndefined();
  expect(row?.cached?.runId).toBe(project.runs()[0]?.split('/').at(-1));
  expect(row?.latency).toBeUndefined();
  expect(first?.latency).toHaveLength(1);
  expect((await project.assay('show', '--trial', 'some.eval.yaml/one/agent/r1')).stdout).toContain(
    `cached: the agent gave this answer in run ${row?.cached?.runId}, at `,
  );
  expect(statSync(answersFolder(project)).mode & 0o777).toBe(0o700);
});

describe('a kept answer is for the same', () => {
  test.each([
    ['input', evalOf([{ ...ONE, input: 'Hello there' }])],
    ['variables', evalOf([{ ...ONE, vars: { city: 'Riga' } }])],
  ])('%s', async (_, changed) => {
    await using both = await askedProject();
    const { agent, project } = both;
    await project.assay('run', '--cache');
    project.write(changed);
    await project.assay('run', '--cache');
    expect(agent.asked()).toBe(2);
  });

  test('target', async () => {
    await using both = await askedProject();
    const { agent, project } = both;
    await project.assay('run', '--cache');
    project.write({
      'assay.config.json': { targets: { agent: { type: 'http', url: agent.url, headers: { a: 'b' } } } },
    });
    await project.assay('run', '--cache');
    expect(agent.asked()).toBe(2);
  });

  test('repetition', async () => {
    await using both = await askedProject();
    const { agent, project } = both;
    await project.assay('run', '--cache');
    await project.assay('run', '--cache', '--repeat', '3');
    expect(agent.asked()).toBe(3);
    expect(rowsOf(newestRun(project)).filter(({ cached }) => cached !== undefined)).toHaveLength(1);
  });

  test('but graders, criteria and expected answers may change', async () => {
    await using both = await askedProject();
    const { agent, project } = both;
    await project.assay('run', '--cache');
    const value = 'Good day';
    project.write(
      evalOf([{ ...ONE, criteria: 'Greets', expected_output: value, assert: [{ type: 'contains', value }] }]),
    );
    const { code } = await project.assay('run', '--cache');
    expect([code, agent.asked()]).toEqual([1, 1]);
  });
});

test('the config can switch the cache on, and --no-cache asks again', async () => {
  await using both = await askedProject();
  const { agent, project } = both;
  const targets = { agent: { type: 'http', url: agent.url } };
  project.write({ 'assay.config.json': { targets, run: { cache: true } } });
  await project.assay('run');
  await project.assay('run');
  expect(agent.asked()).toBe(1);
  await project.assay('run', '--no-cache');
  expect(agent.asked()).toBe(2);
});

test.each([
  ['damaged', (text: string) => text.replace('You said', 'We said')],
  ['torn', (text: string) => text.slice(0, 100)],
  ['empty', () => ''],
])('a %s answer is ignored with one sentence', async (_, spoil) => {
  await using both = await askedProject();
  const { agent, project } = both;
  await project.assay('run', '--cache', '--repeat', '2');
  for (const name of readdirSync(answersFolder(project))) {
    const path = `${answersFolder(project)}/${name}`;
    writeFileSync(path, spoil(readFileSync(path, 'utf8')));
  }
  const { code, stdout } = await project.assay('run', '--cache', '--repeat', '2');
  expect([code, agent.asked()]).toEqual([0, 4]);
  expect(stdout.match(/some cached answers are ignored/g)).toHaveLength(1);
  await project.assay('run', '--cache', '--repeat', '2');
  expect(agent.asked()).toBe(4);
});

test('an errored trial keeps no answer, and one with a broken check does', async () => {
  await using project = openProject({
    ...evalOf([{ ...ONE, assert: [{ type: 'javascript', value: 'nowhere.at' }] }]),
    'agent.sh': 'cat > /dev/null; echo x >> asked.txt; test -e works && echo Hello',
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: ['sh', './agent.sh'] } },
      run: { retryInfrastructure: 0 },
    },
  });
  const asked = () => project.read('asked.txt').trim().split('\n').length;
  await project.assay('run', '--cache');
  await project.assay('run', '--cache');
  expect(asked()).toBe(2);
  project.write({ works: '' });
  await project.assay('run', '--cache');
  await project.assay('run', '--cache');
  expect(asked()).toBe(3);
});

test('an answer with changed files of a workspace is not kept, and a sentence says so', async () => {
  await using project = openProject({
    'template/a.txt': 'a\n',
    ...evalOf([{ ...ONE, workspace: { template: './template' } }]),
    'assay.config.json': {
      targets: {
        agent: { type: 'cli', command: ['sh', '-c', 'cat > /dev/null; echo b > a.txt; echo Hello'] },
      },
    },
  });
  await project.assay('run', '--cache');
  const { stdout } = await project.assay('run', '--cache');
  expect(stdout).toContain('agent: answers are not cached when the agent changes files of its workspace');
  expect(rowsOf(newestRun(project)).map(({ cached }) => cached)).toEqual([undefined]);
});

test('compare says how many answers are cached, and compares no latency of them', async () => {
  await using both = await askedProject();
  const { project } = both;
  project.write(evalOf(Array.from({ length: 4 }, (_, i) => ({ ...ONE, id: `c${i}` }))));
  await project.assay('run');
  await project.assay('run', '--cache');
  await project.assay('run', '--cache');
  const [first = '', , third = ''] = project.runs().map((run) => run.split('/').at(-1) ?? '');
  const { stdout } = await project.assay('compare', first, third, '--json');
  expect(JSON.parse(stdout).sentence).toMatch(
    /\. Cached: 0 of 4 trials of the base and 4 of 4 of the candidate\. A cached answer is one of an earlier run, so it is no new evidence, and its latency and cost are left out$/,
  );
  expect(JSON.parse(stdout).comparisons[0].ratios.latencyMs).toBeNull();
});

test('the agent of a module is asked once', async () => {
  await using project = openProject({
    'agent.mjs': `import { appendFileSync } from 'node:fs';
      export default async () => { appendFileSync('asked.txt', 'x'); return 'Hello'; };`,
    ...evalOf([ONE]),
    'assay.config.json': { targets: { agent: { type: 'module', module: './agent.mjs' } } },
  });
  await project.assay('run', '--cache');
  await project.assay('run', '--cache');
  expect(rowsOf(newestRun(project))[0]).toMatchObject({ output: 'Hello', verdict: 'passed' });
  expect(project.read('asked.txt')).toBe('x');
});

test('an answer of another version is ignored', async () => {
  await using both = await askedProject();
  const { agent, project } = both;
  await project.assay('run', '--cache');
  const [name = ''] = readdirSync(answersFolder(project));
  const key = readFileSync(`${project.place().env['HOME']}/.local/state/assay/module-key`);
  const later = JSON.stringify({ format: 99, answer: 'in a later form' });
  const signed = createHmac('sha256', key)
    .update(`answer ${name.replace('.json', '')} ${later}`)
    .digest('hex');
  writeFileSync(`${answersFolder(project)}/${name}`, `${signed}\n${later}`);
  const { code, stdout } = await project.assay('run', '--cache');
  expect([code, agent.asked()]).toEqual([0, 2]);
  expect(stdout).toContain('or from another version or account');
});

describe('of a program', () => {
  const config = (more: object) => ({
    'assay.config.json': { targets: { agent: { type: 'cli', command: ['node', './agent.mjs'], ...more } } },
  });
  const saying = (text: string) => ({ 'agent.mjs': `console.log(${text});` });

  test('whose file was edited, no answer is used', async () => {
    await using project = openProject({ ...evalOf([ONE]), ...config({}), ...saying(`'Hello'`) });
    await project.assay('run', '--cache');
    project.write(saying(`'Bye'`));
    expect((await project.assay('run', '--cache')).code).toBe(1);
  });

  test('that is told another variable, no answer is used', async () => {
    await using project = openProject({
      ...evalOf([ONE]),
      ...config({ passEnv: ['MODEL_NAME'] }),
      ...saying('process.env.MODEL_NAME'),
    });
    await project.start(['run', '--cache'], { MODEL_NAME: 'Hello' }).ended;
    const { code } = await project.start(['run', '--cache'], { MODEL_NAME: 'Bye' }).ended;
    expect(code).toBe(1);
  });

  test.each([
    ['`cwd`', { command: ['node', 'agent.mjs'], cwd: 'inner' }, 'inner/agent.mjs'],
    ['its healthcheck', { healthcheck: { command: ['sh', './up.sh'] } }, 'up.sh'],
  ])('of which a file named by %s was edited, no answer is used', async (_, more, edited) => {
    await using project = openProject({
      ...evalOf([ONE]),
      ...config(more),
      ...saying(`'Hello'`),
      'inner/agent.mjs': `console.log('Hello');`,
      'up.sh': 'true\n',
    });
    await project.assay('run', '--cache');
    project.write({ [edited]: `${project.read(edited)}\n` });
    await project.assay('run', '--cache');
    expect(rowsOf(newestRun(project))[0]?.cached).toBeUndefined();
  });

  test('two tests with the same input have their own answers', async () => {
    await using project = openProject({
      ...evalOf([ONE, { ...ONE, id: 'two', assert: [{ type: 'contains', value: 'two' }] }]),
      'assay.config.json': { targets: { agent: { type: 'cli', command: 'node ./agent.mjs {TEST_ID}' } } },
      ...saying(`'Hello ' + process.argv[2]`),
    });
    expect((await project.assay('run', '--cache')).code).toBe(0);
  });
});

describe('an answer of an installed agent is not used after a change of', () => {
  const AGENT = `#!/bin/sh
here=$(dirname "$0")
case "$*" in
  *--version*) cat "$here/version.txt" ;;
  *) cat > /dev/null; cat "$here/said.jsonl" ;;
esac
`;

  test.each([
    ['nothing', '', 'used'],
    ['its version', 'version.txt', 'not used'],
    ['a file named by `args`', 'rules.md', 'not used'],
    ['a file named by `commandArgs`', 'more.md', 'not used'],
    ['a skill', 'skills/demo/SKILL.md', 'not used'],
  ])('%s', async (_, edited, isUsed) => {
    await using project = openProject({
      'claude.sh': AGENT,
      'version.txt': '2.1.0 (Claude Code)\n',
      'said.jsonl': claudeTurn({ answer: 'Hello' }).join('\n'),
      'rules.md': 'Be kind.\n',
      'more.md': 'Be short.\n',
      'skills/demo/SKILL.md': '---\nname: demo\ndescription: shows how\n---\nDo it.\n',
      ...evalOf([ONE]),
      'assay.config.json': {
        targets: {
          agent: {
            type: 'claude-code',
            model: 'm',
            command: './claude.sh',
            commandArgs: ['--more', './more.md'],
            args: ['--rules', './rules.md'],
            skills: ['./skills/demo'],
          },
        },
      },
    });
    chmodSync(project.path('claude.sh'), 0o755);
    expect((await project.assay('run', '--cache')).code).toBe(0);
    if (edited !== '')
      project.write({
        [edited]: project
          .read(edited)
          .replace('1', '2')
          .replace('Be', 'Do not be')
          .replace('Do it', 'Show it'),
      });
    await project.assay('run', '--cache');
    expect(rowsOf(newestRun(project))[0]?.cached === undefined ? 'not used' : 'used').toBe(isUsed);
  });
});

test('an answer that a world of mocks decided is for its seed and its code', async () => {
  const rules = [{ replies: [{ toolCalls: [{ name: 'dice', input: {} }] }, { text: 'Hello' }] }];
  await using server = await startModelServer({ records: true, script: { rules } });
  const world = `import { defineWorld } from 'assay';
    export default defineWorld({ state: () => ({}), tools: { dice: (_, { random }) => ({ rolled: random() }) } });`;
  await using project = openProject({
    'world.mjs': world,
    'some.eval.yaml': {
      tools: [{ name: 'dice' }],
      tests: [{ ...ONE, mocks: [{ tool: 'dice', handler: 'dice' }] }],
    },
    'assay.config.json': {
      worlds: ['./world.mjs'],
      targets: { bot: { type: 'openai-compatible', baseUrl: `${server.url}/v1`, model: 'any' } },
    },
  });
  const cachedWith = async (seed: string) => {
    expect((await project.assay('run', '--cache', '--seed', seed)).code).toBe(0);
    return rowsOf(newestRun(project))[0]?.cached !== undefined;
  };
  expect([await cachedWith('1'), await cachedWith('2'), await cachedWith('1')]).toEqual([false, false, true]);
  project.write({ 'world.mjs': world.replace('random()', '1 + random()') });
  expect(await cachedWith('1')).toBe(false);
});

test('a resumed run asks again, and does not use its own answers', async () => {
  await using both = await askedProject();
  const { agent, project } = both;
  const there = JSON.stringify(project.path('there.txt'));
  const value = `process.getBuiltinModule('node:fs').existsSync(${there}) || nowhere.at`;
  project.write(evalOf([{ ...ONE, assert: [{ type: 'javascript', value }] }]));
  await project.assay('run', '--cache');
  expect(rowsOf(newestRun(project))[0]?.verdict).toBe('errored');
  project.write({ 'there.txt': 'x' });
  await project.assay('resume', 'latest', '--retry', 'errored');
  const [row] = rowsOf(newestRun(project));
  expect([row?.verdict, row?.cached, agent.asked()]).toEqual(['passed', undefined, 2]);
});

test('an answer with a secret is graded as it is, and not kept', async () => {
  const secret = 'sk-verysecret0123456789abcdef';
  await using agent = await countingAgent(() => `Hello ${secret}`);
  agent.allow(100);
  await using project = openProject({
    ...evalOf([{ ...ONE, assert: [{ type: 'contains', value: secret, negate: true, required: true }] }]),
    'assay.config.json': { targets: { agent: { type: 'http', url: agent.url } } },
  });
  const codes = [await project.assay('run', '--cache'), await project.assay('run', '--cache')].map(
    ({ code }) => code,
  );
  expect([codes, agent.asked()]).toEqual([[1, 1], 2]);
});

describe('an answer of a model is not used after a change of the address of', () => {
  const saying = (text: string) => startModelServer({ script: { rules: [{ replies: [{ text }] }] } });

  test('its provider', async () => {
    await using one = await saying('Hello');
    await using other = await saying('Bye');
    const config = ({ url }: { readonly url: string }) => ({
      'assay.config.json': {
        models: { local: { baseUrl: `${url}/v1` } },
        targets: { bot: { type: 'model', model: 'local/any' } },
      },
    });
    await using project = openProject({ ...evalOf([ONE]), ...config(one) });
    expect((await project.assay('run', '--cache')).code).toBe(0);
    await project.assay('run', '--cache');
    expect(rowsOf(newestRun(project))[0]?.cached).toBeDefined();
    project.write(config(other));
    await project.assay('run', '--cache');
    expect(rowsOf(newestRun(project))[0]).toMatchObject({ output: 'Bye', verdict: 'failed' });
  });

  test('the target that plays its user', async () => {
    await using agent = await countingAgent((said) => `You said ${said}`);
    agent.allow(100);
    await using one = await startUsers({ unknown: [{ message: 'Hello' }] });
    await using other = await startUsers({ unknown: [{ message: 'Bye' }] });
    const config = ({ url }: { readonly url: string }) => ({
      'assay.config.json': {
        user: 'visitor',
        targets: {
          agent: { type: 'http', url: agent.url },
          visitor: { type: 'openai-compatible', baseUrl: `${url}/v1`, model: 'any' },
        },
      },
    });
    const talk = { id: 'one', user: { max_turns: 1 }, assert: ONE.assert };
    await using project = openProject({ ...evalOf([talk]), ...config(one) });
    await project.assay('run', '--cache', '--target', 'agent');
    await project.assay('run', '--cache', '--target', 'agent');
    expect(rowsOf(newestRun(project))[0]?.cached).toBeDefined();
    project.write(config(other));
    await project.assay('run', '--cache', '--target', 'agent');
    expect(rowsOf(newestRun(project))[0]?.cached).toBeUndefined();
  });
});
