import { describe, expect, onTestFinished, test } from 'vitest';

import { ask, worldOf } from '../../../test/contracts/target.ts';
import { countingServer } from '../../../test/support/counting-server.ts';
import { modelServer } from '../../../test/support/model-server.ts';
import { loadConfig } from '../../authoring/config/load-config.ts';
import { storeRules, type StoreAccess } from '../../authoring/config/store-rules.ts';
import type { JsonObject } from '../../lib/json.ts';
import { doorTo } from '../../models/door.fixture.ts';
import { allTargets } from '../registry.ts';
import { chooseUser } from '../binding/choose-user.ts';
import { judgeFinder } from '../binding/judges.ts';
import { openTargetPool } from '../binding/target-pool.ts';
import { useTargets } from '../binding/use-targets.ts';
import { agentsOfSpec, withAgents, type UsedAgent } from './with-agents.ts';

const { signal } = new AbortController();
const lookup = async () => ['127.0.0.1'];

/** An agent of the store on a machine whose config has no target. */
async function bound(config: JsonObject, access: Partial<StoreAccess> = {}, more: Partial<UsedAgent> = {}) {
  const plugins = await allTargets();
  const environment = { AGENT_KEY: 'key-of-the-agent' };
  const { loaded: plain } = await loadConfig({
    startDirectory: '/',
    cwd: '/',
    environment,
    plugins: () => plugins,
  });
  const rules = storeRules({
    auth: 'token',
    environment: { ASSAY_AGENT_ENV: 'AGENT_KEY' },
    lookup,
    ...access,
  });
  const { loaded, problems } = withAgents(plain!, [{ name: 'mine@2', config, ...more }], { plugins, rules });
  return { plain: plain!, loaded, problems, use: useTargets(['mine@2'], loaded) };
}

/** The first turn of a session with it. */
async function answered({ use }: Awaited<ReturnType<typeof bound>>, models = doorTo('http://models.test:9')) {
  const pool = openTargetPool({
    runId: 'RUN',
    targets: use.targets,
    directory: '/',
    models,
    storedRun: () => Promise.reject(new Error('no run')),
  });
  onTestFinished(async () => await pool[Symbol.asyncDispose]());
  const target = await pool.prepared('mine@2', signal);
  return await ask(await target.open(worldOf(), signal), 'Hi');
}

describe('an agent of the store in a run', () => {
  test.each([
    ['http', (port: number) => ({ type: 'http', url: `http://agent.test:${port}` })],
    [
      'openai-compatible',
      (port: number) => ({ type: 'openai-compatible', baseUrl: `http://agent.test:${port}`, model: 'm' }),
    ],
    ['model', () => ({ type: 'model', model: 'local/m' })],
  ])('of type %s makes no connection to a name that leads to this machine', async (_, config) => {
    const server = await countingServer();
    const used = await bound(config(server.port));
    expect([used.problems, used.use.problems]).toEqual([[], []]);
    await expect(answered(used, doorTo(`http://agent.test:${server.port}`))).rejects.toMatchObject({
      stage: 'target',
      kind: 'target-unavailable',
      detail: 'address-forbidden',
      message: expect.stringContaining('private address agent.test (127.0.0.1)'),
    });
    expect(server.connections()).toBe(0);
  });

  test('makes none either as judge or as user', async () => {
    const server = await countingServer();
    const baseUrl = `http://agent.test:${server.port}`;
    const { loaded, use } = await bound({ type: 'openai-compatible', baseUrl, model: 'm' });
    const models = doorTo(baseUrl);
    const judge = judgeFinder({
      names: { ofTarget: () => undefined, ofConfig: 'mine@2' },
      models,
      targets: use.targets,
      prepared: () => Promise.reject(new Error('a model is asked directly')),
    })(undefined, 'any');
    const request = { messages: [{ role: 'user', parts: [{ text: 'x' }] }] } as const;
    await expect(judge.ask(request, signal)).rejects.toMatchObject({ detail: 'address-forbidden' });
    const { user } = chooseUser({ ...loaded, config: { ...loaded.config, user: 'mine@2' } });
    expect(user).toMatchObject({ type: 'simulated', addresses: use.targets.get('mine@2')?.addresses });
    expect(server.connections()).toBe(0);
  });

  test('is asked where its host is listed, with the key that it names', async () => {
    const server = await modelServer({
      apiKey: 'key-of-the-agent',
      rules: [{ reply: { text: 'Hello' } }],
    });
    const { port } = new URL(server.url);
    const environment = { ASSAY_AGENT_ENV: 'AGENT_KEY', ASSAY_AGENT_HOSTS: `agent.test:${port}` };
    const config = {
      type: 'openai-compatible',
      baseUrl: `http://agent.test:${port}/v1`,
      model: 'm',
      apiKeyEnv: 'AGENT_KEY',
    };
    const models = doorTo('http://models.test:9', { environment: { AGENT_KEY: 'key-of-the-agent' } });
    const { entries } = await answered(await bound(config, { environment }), models);
    expect(entries).toContainEqual(expect.objectContaining({ parts: [{ text: 'Hello' }] }));
  });

  test('reports what the rules refuse now, even if they allowed it when the agent was stored', async () => {
    const headers = { authorization: 'Bearer ${{ AGENT_KEY }}' };
    const { problems } = await bound({ type: 'http', url: 'https://x.test', headers }, { environment: {} });
    expect(problems.map(({ file, code, path }) => [file, code, path?.join('.')])).toEqual([
      ['agent mine@2', 'variable-not-allowed', 'config.headers.authorization'],
    ]);
  });

  test('hides the values of the variables that it names', async () => {
    const headers = { authorization: 'Bearer ${{ AGENT_KEY }}' };
    const { use } = await bound({ type: 'http', url: 'https://x.test', headers });
    expect(use.secretNames).toEqual(['AGENT_KEY']);
    expect(use.written.get('mine@2')).toEqual({ type: 'http', url: 'https://x.test', headers });
  });

  test('answers with its mocks, in which nothing is replaced by the environment', async () => {
    const config = { type: 'model', model: 'local/m', tools: [{ name: 'look' }] };
    const answer = { result: { text: '${{ AGENT_KEY }}', '\u0000': 1 } };
    const mocks = [
      { tool: 'look', match: 'partial', params: { id: 1 }, times: 2, answer },
      { tool: 'look', match: 'any', answer: { error: { code: 'gone', message: 'm' } } },
      { tool: 'look', match: 'any', answer: { handler: 'desk' } },
    ] as const;
    const agent = { id: '3f2a8a5e-7d0f-4c52-9c0f-0f4f6d2f8a11', version: 2 };
    const { use, problems } = await bound(config, {}, { mocks, agent });
    expect([problems, use.problems]).toEqual([[], []]);
    expect(use.targets.get('mine@2')?.settings.mocks).toEqual(mocks);
    const written = use.written.get('mine@2') ?? {};
    expect(written).toEqual({
      ...config,
      mocks: [
        { tool: 'look', match: 'partial', params: { id: 1 }, times: 2, ...answer },
        { tool: 'look', match: 'any', error: { code: 'gone', message: 'm' } },
        { tool: 'look', match: 'any', handler: 'desk' },
      ],
    });
    const targets = [
      { name: 'desk', type: 'mock', written: {}, digest: 0 },
      { name: 'mine@2', type: 'model', written: JSON.parse(JSON.stringify(written)), digest: 1, agent },
    ];
    expect(agentsOfSpec({ targets })).toEqual([{ name: 'mine@2', config, mocks, agent }]);
  });

  test('is refused with a mock of a tool that it does not have, and with the name of a target', async () => {
    const mocks = [{ tool: 'lok', match: 'any', answer: { result: 1 } }] as const;
    const config = { type: 'model', model: 'local/m', tools: [{ name: 'look' }] };
    const { problems, plain, loaded } = await bound(config, {}, { mocks });
    expect(problems.map(({ file, code, path }) => [file, code, path?.join('.')])).toEqual([
      ['agent mine@2', 'tool-undeclared', 'mocks.0.tool'],
    ]);
    expect(loaded.written).toEqual(plain.written);
    const taken = {
      ...plain,
      written: new Map([['mine', { name: 'mine', keys: {}, faults: [], place: () => [] }]]),
    };
    const place = { plugins: await allTargets(), rules: storeRules({ auth: 'none', environment: {} }) };
    const again = withAgents(taken, [{ name: 'mine', config }], place);
    expect(again.problems.map(({ code, message }) => [code, message])).toEqual([
      ['agent-name', 'name: the config has a target called "mine"'],
    ]);
  });
});
