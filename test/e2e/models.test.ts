import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startModelServer, type ModelServer } from '../../src/models/mock-server/server.ts';
import { outcomeOf, passedWith } from './support/outcome.ts';
import { openProject } from './support/here.ts';
import { rowOf, rowsOf, runsIn, type Project } from './support/project.ts';
import { until } from './support/until.ts';

const SECRET = 'a-secret-of-somebody';

const suite = {
  tests: [
    { id: 'plain', input: 'Say ok', assert: [{ type: 'equals', value: 'ok' }] },
    { id: 'busy', input: 'Say busy', assert: [{ type: 'equals', value: 'at last' }] },
    { id: 'tool', input: 'Use the tool', assert: [{ type: 'contains', value: 'x' }] },
  ],
};

const script = {
  apiKey: SECRET,
  rules: [
    { match: { last: 'Say ok' }, reply: { text: 'ok', usage: { input: 1_000, output: 100 } } },
    { match: { last: 'Say busy' }, times: 1, reply: { status: 429, headers: { 'retry-after-ms': '1' } } },
    { match: { last: 'Say busy' }, reply: { text: 'at last', usage: { input: 1_000, output: 100 } } },
    { match: { last: 'Use the tool' }, reply: { toolCalls: [{ name: 'lookup', input: { id: 1 } }] } },
  ],
};

let server: ModelServer;
let project: Project;

beforeAll(async () => {
  server = await startModelServer({ script });
  project = openProject({
    'assay.config.yaml': [
      'target: bot',
      'models:',
      `  openai: { baseUrl: "\${{ MODELS_URL }}/v1", apiKeyEnv: MY_MODEL_KEY }`,
      'targets:',
      '  bot:',
      '    type: model',
      '    model: openai/gpt-4o',
      '    timeoutMs: 10000',
      '    tools: [{ name: lookup }]',
      '  other:',
      '    type: openai-compatible',
      `    baseUrl: ${server.url}/v1`,
      '    model: tiny',
      '    apiKeyEnv: MY_MODEL_KEY',
      '    price: { input: 1, output: 10 }',
    ].join('\n'),
    'a.eval.yaml': suite,
  });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

/** Runs into a folder of its own: ids of runs of one second are in no order. */
async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const out = `out-${++runs}`;
  const { code, stdout, stderr } = await project.start(['run', ...args, '--out', out], env).ended;
  const [folder = ''] = runsIn(project.path(out));
  return { code, stdout, stderr, folder };
}

let runs = 0;

const environment = () => ({ MODELS_URL: server.url, MY_MODEL_KEY: SECRET });

describe('a model as target', () => {
  test('is asked, limited, priced and recorded; then replayed without server or key', async () => {
    const live = await run(['a.eval.yaml', '--cassette', 'tapes', '--mode', 'record'], environment());
    expect([live.code, live.stderr]).toEqual([3, '']);
    expect(outcomeOf(rowOf(live.folder, 'plain'))).toEqual(passedWith('ok'));
    expect(outcomeOf(rowOf(live.folder, 'busy'))).toEqual(passedWith('at last'));
    // gpt-4o: 2.5 and 10 USD per million.
    expect(rowOf(live.folder, 'plain').costUsd).toMatchObject({ agent: 0.0035 });
    expect(rowOf(live.folder, 'tool').error).toMatchObject({ stage: 'world', kind: 'mock-miss' });
    const asked = server.counts().total;

    const replayed = await run(['a.eval.yaml', '--cassette', 'tapes', '--mode', 'replay']);
    expect([replayed.code, replayed.stderr]).toEqual([3, '']);
    expect(server.counts().total).toBe(asked);
    const comparable = (folder: string) =>
      rowsOf(folder)
        .map((row) => [row.caseId, outcomeOf(row), row.usage])
        .toSorted();
    expect(comparable(replayed.folder)).toEqual(comparable(live.folder));
    expect(rowsOf(replayed.folder).map(({ costUsd }) => costUsd)).toEqual([
      { agent: 0 },
      { agent: 0 },
      { agent: 0 },
    ]);
  });

  test('what is replayed costs nothing: neither in the table nor in a gate nor under a cap', async () => {
    const only = ['a.eval.yaml', '--case', 'plain', '--cassette', 'priced'];
    const live = await run([...only, '--gate', 'cost.total <= 0'], environment());
    expect([live.code, live.stdout]).toEqual([1, expect.stringContaining('$0.0035')]);
    const args = [...only, '--mode', 'replay', '--gate', 'cost.total <= 0', '--max-cost', '0.001'];
    const replayed = await run(args);
    expect([replayed.code, replayed.stderr]).toEqual([0, '']);
    expect(replayed.stdout).not.toContain('$0.0035');
    const { usage, costUsd } = rowOf(replayed.folder, 'plain');
    expect([usage.agent?.totalTokens, costUsd]).toEqual([1_100, { agent: 0 }]);
  });

  test('a request that was never recorded is a loud miss that names the nearest one', async () => {
    const asked = { id: 'plain', input: 'Say ok!', assert: [{ type: 'contains', value: 'ok' }] };
    project.write({ 'b.eval.yaml': { tests: [asked] } });
    const missed = await run(['b.eval.yaml', '--cassette', 'tapes', '--mode', 'replay']);
    expect(missed.code).toBe(3);
    const { error } = rowOf(missed.folder, 'plain');
    expect(error).toMatchObject({ kind: 'target-unavailable', detail: 'cassette-miss' });
    expect(error?.message).toContain('recorded "Say ok", asked "Say ok!"');
  });

  test('without key or address nothing is run, and it says what to set', async () => {
    const only = ['run', 'a.eval.yaml', '--case', 'plain'];
    const before = project.runs();
    const withoutKey = await project.start(only, { MODELS_URL: server.url }).ended;
    expect(withoutKey.stderr).toMatch(
      / {2}credentials-missing {2}no API key for openai\/gpt-4o: MY_MODEL_KEY is not set {2}\(set MY_MODEL_KEY in the environment or in `\.env`/,
    );
    const { stdout } = await project.start([...only, '--dry', '--json'], { MODELS_URL: server.url }).ended;
    expect(JSON.parse(stdout)).toMatchObject({
      problems: [{ code: 'credentials-missing', message: expect.stringContaining('MY_MODEL_KEY') as string }],
      warnings: [],
    });
    const withoutAddress = await project.start(only, { MY_MODEL_KEY: SECRET }).ended;
    expect(withoutAddress.stderr).toMatch(/ {2}environment-unset {2}.*MODELS_URL/);
    expect([withoutKey.code, withoutAddress.code, project.runs()]).toEqual([2, 2, before]);
    expect((await project.assay('validate', 'a.eval.yaml')).code).toBe(0);
  });

  test('packages and addresses that agent, user and judge lack are told at once, with the command that installs them', async () => {
    await using bare = openProject({
      'assay.config.json': {
        targets: { bot: { type: 'model', model: 'mistral/large' } },
        user: { model: 'groq/llama' },
        judge: { model: 'openai-compatible/judge' },
      },
      'a.eval.yaml': {
        tests: [
          { id: 'a', input: 'Hi', user: { max_turns: 2 }, criteria: 'is polite' },
          {
            id: 'b',
            input: 'Hi',
            criteria: 'is polite',
            assert: [{ type: 'llm_judge', judge: { model: 'mistral/small' } }],
          },
        ],
      },
    });
    const keys = { MISTRAL_API_KEY: SECRET, GROQ_API_KEY: SECRET };
    const lacking = [
      '  base-url-missing  no base URL configured for openai-compatible/judge  (set models.openai-compatible.baseUrl in the config)',
      ':5:13  package-missing  @ai-sdk/mistral and @ai-sdk/groq are not installed; mistral/large, mistral/small and groq/llama need them  (run npm install @ai-sdk/mistral @ai-sdk/groq)',
    ].map((words) => `assay.config.json${words}`);
    const ended = await bare.start(['run'], keys).ended;
    expect([ended.code, ended.stderr.split('\n').slice(0, -2).toSorted(), bare.runs()]).toEqual([
      2,
      lacking,
      [],
    ]);
    const validated = await bare.start(['validate'], keys).ended;
    expect([validated.code, validated.stdout.split('\n').slice(0, 2)]).toEqual([2, lacking]);
    const [address = '', packages = ''] = lacking;
    const dry = await bare.start(['run', '--dry'], keys).ended;
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining(`warning: ${packages}`)]);
    expect(dry.stdout).toContain(`warning: ${address}`);
    const replayed = await bare.start(['run', '--cassette', 'tapes', '--mode', 'replay'], keys).ended;
    expect(replayed.code).toBe(3);
  });

  test('a provider that nobody knows is told with the one that was meant, also where files are only checked', async () => {
    const config = (baseUrl?: string) => ({
      'assay.config.json': {
        targets: { bot: { type: 'model', model: 'opnai/gpt-4o' } },
        judge: { model: 'antropic/claude' },
        ...(baseUrl === undefined ? {} : { models: { opnai: { baseUrl }, antropic: { baseUrl } } }),
      },
    });
    const tests = [{ id: 'a', input: 'Hi', criteria: 'is polite' }];
    await using misspelt = openProject({ ...config(), 'a.eval.yaml': { tests } });
    const told = [
      'unknown provider "opnai" in model "opnai/gpt-4o"  (did you mean openai? for a provider of your own, set models.opnai.baseUrl in the config)',
      'unknown provider "antropic" in model "antropic/claude"  (did you mean anthropic? for a provider of your own, set models.antropic.baseUrl in the config)',
    ].map((words) => `assay.config.json  provider-unknown  ${words}`);
    const validated = await misspelt.assay('validate');
    expect([validated.code, validated.stdout.split('\n').slice(0, 2)]).toEqual([2, told]);
    const ended = await misspelt.assay('run');
    expect([ended.code, ended.stderr.split('\n').slice(0, 2)]).toEqual([2, told]);
    misspelt.write(config(`${server.url}/v1`));
    expect((await misspelt.assay('validate')).code).toBe(0);
  });

  test('an endpoint of chat completions answers, at the price of its target', async () => {
    const ended = await run(['a.eval.yaml', '--target', 'other', '--case', 'plain'], environment());
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const row = rowOf(ended.folder, 'plain');
    expect([outcomeOf(row), row.costUsd.agent]).toEqual([passedWith('ok'), 0.002]);
  });

  test('a key that the server gives back stands in no file of the run or the cassette', async () => {
    await using leaky = await startModelServer({ script: { rules: [{ reply: { text: `ok ${SECRET}` } }] } });
    const ended = await run(['a.eval.yaml', '--case', 'plain', '--cassette', 'leaky'], {
      MODELS_URL: leaky.url,
      MY_MODEL_KEY: SECRET,
    });
    expect(rowOf(ended.folder, 'plain').output).toBe('ok [redacted:MY_MODEL_KEY]');
    const folders = [ended.folder, project.path('leaky')];
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    );
    expect(files.filter((file) => readFileSync(file, 'utf8').includes(SECRET))).toEqual([]);
    expect(files.length).toBeGreaterThan(3);
  });

  test('--mode without --cassette is refused', async () => {
    const { code, stderr } = await run(['a.eval.yaml', '--mode', 'replay']);
    expect([code, stderr.split('\n')[0]]).toEqual([2, 'assay: --mode needs --cassette']);
  });
});

describe('assay mock-server', () => {
  test('plays a script until it is interrupted', async () => {
    project.write({ 'script.yaml': 'rules:\n  - match: { contains: ping }\n    reply: { text: pong }\n' });
    const running = project.start(['mock-server', '--port', '0', '--script', 'script.yaml']);
    const url = await until('its address', () => /http:\S+/.exec(running.printed())?.[0]);
    const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'ping' }] });
    const answer = (await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })).json()) as {
      choices: { message: { content: string } }[];
    };
    expect(answer.choices[0]?.message.content).toBe('pong');
    running.kill('SIGINT');
    expect(await running.ended).toEqual({
      code: 0,
      signal: null,
      stdout: `scripted models at ${url} (Ctrl-C to stop)\n1 requests answered\n`,
      stderr: '',
    });
  });

  test('a wrong script and a port in use are said, with exit 2', async () => {
    project.write({ 'wrong.yaml': 'rules: [{ reply: { txt: hi } }]' });
    const wrong = await project.assay('mock-server', '--script', 'wrong.yaml');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('rules.0.reply: Unrecognized key: "txt"');
    const taken = await project.assay('mock-server', '--port', new URL(server.url).port);
    expect(taken.code).toBe(2);
    expect(taken.stderr).toContain('choose another --port, or 0 for any free port');
  });
});
