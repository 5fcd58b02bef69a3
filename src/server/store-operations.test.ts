import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { heldAgent } from '../../test/support/held-agent.ts';
import { ASKED_OF_UPLOADS } from '../../test/support/asked-of-uploads.ts';
import { onServedStores, type Answered, type ServedStore } from '../../test/support/served-store.ts';
import type { Route } from '../api/route.ts';
import { table } from '../api/table.ts';
import type { Store } from '../core/store.ts';
import type { StoreOperation } from './operation.ts';

type Ask = ServedStore['ask'];

const WHATEVER = { 'If-Match': '*' };

const agentIn = async (folder: string, holds: boolean) => {
  const agent = await heldAgent(() => holds);
  writeFileSync(
    join(folder, 'assay.config.json'),
    JSON.stringify({
      targets: { bot: { type: 'http', url: agent.url } },
      user: { type: 'scripted', messages: [] },
      judge: { model: 'none/none', metrics: [] },
      run: { expectations: [{ type: 'contains', value: 'x' }] },
    }),
  );
  return agent;
};

const begunRun = async ({ ask }: ServedStore) => {
  await ask('POST', '/test-cases', { body: { name: 'x', initial_message: 'x' } });
  const { body } = await ask('POST', '/runs', { body: { select: {} } });
  return `/runs/${body.id}`;
};

const endOf = async ({ url }: ServedStore, run: string) => {
  const headers = { Accept: 'text/event-stream' };
  await (await fetch(`${url()}/api/v1${run}/events`, { headers })).text();
};

/** A run of one case, which has ended. */
const endedRun = async (served: ServedStore) => {
  await agentIn(served.folder, false);
  const run = await begunRun(served);
  await endOf(served, run);
  return run;
};

/** A run of one case, which runs until its agent is released. */
const heldRun = async (served: ServedStore) => {
  const agent = await agentIn(served.folder, true);
  const run = await begunRun(served);
  await agent.came(1);
  return { run, release: agent.release };
};

const caseOf = async (ask: Ask) => {
  const { body } = await ask('POST', '/test-cases', { body: { name: 'x' } });
  return `/test-cases/${body.id}`;
};

const accountOf = async (ask: Ask) => {
  const { body } = await ask('POST', '/accounts', { body: { email: 'ann@example.com', role: 'member' } });
  return String(body.id);
};

const tokenOf = async (ask: Ask) =>
  ask('POST', '/tokens', { body: { account: await accountOf(ask), name: 'ci' } });

const METRIC = { kind: 'scored', rubric: 'Is it kind?', default_weight: 1 };

const metricOf = async (ask: Ask) => {
  await ask('POST', '/metrics', { body: { id: 'tone', ...METRIC } });
  return '/metrics/tone';
};

const setOf = async (ask: Ask) => {
  const { body } = await ask('POST', '/case-sets', { body: { name: 'smoke' } });
  return `/case-sets/${body.id}`;
};

const memberOf = async (ask: Ask) => [{ test_case_id: (await caseOf(ask)).split('/')[2] }];

/** A worker, where other processes can reach the store. */
const workerOf = async ({ queue }: Store) => {
  const desk = await queue?.join({ name: 'one', host: 'here', pid: 7, version: '1.2.3', slots: 2 });
  if (desk !== undefined) onTestFinished(() => desk[Symbol.asyncDispose]());
};

const CONFIG = { type: 'http', url: 'http://127.0.0.1:1/turn' };

const agentOf = async (ask: Ask) => {
  const { body } = await ask('POST', '/agents', { body: { name: 'desk', config: CONFIG } });
  return `/agents/${body.id}`;
};

/** They need a server with tokens: see `session.test.ts`. */
type OfSessions = 'signIn' | 'signOut';

/** How each is asked of a store; the table demands one of every operation that needs a store. */
const ASKED: Readonly<
  Record<Exclude<StoreOperation, OfSessions>, (ask: Ask, served: ServedStore) => Promise<Answered>>
> = {
  ...ASKED_OF_UPLOADS,
  listTestCases: async (ask) => {
    await caseOf(ask);
    return ask('GET', '/test-cases');
  },
  createTestCase: (ask) => ask('POST', '/test-cases', { body: { name: 'x', tags: ['a'] } }),
  getTestCase: async (ask) => ask('GET', await caseOf(ask)),
  changeTestCase: async (ask) => ask('PATCH', await caseOf(ask), { body: {}, headers: WHATEVER }),
  replaceTestCase: async (ask) => ask('PUT', await caseOf(ask), { body: { name: 'y' }, headers: WHATEVER }),
  archiveTestCase: async (ask) => ask('DELETE', await caseOf(ask), { headers: WHATEVER }),
  listCaseSets: async (ask) => {
    await setOf(ask);
    return ask('GET', '/case-sets');
  },
  createCaseSet: (ask) => ask('POST', '/case-sets', { body: { name: 'smoke', description: 'Each day' } }),
  getCaseSet: async (ask) => ask('GET', await setOf(ask)),
  changeCaseSet: async (ask) => ask('PATCH', await setOf(ask), { body: {}, headers: WHATEVER }),
  archiveCaseSet: async (ask) => ask('DELETE', await setOf(ask), { headers: WHATEVER }),
  listMembers: async (ask) => ask('GET', `${await setOf(ask)}/members`),
  replaceMembers: async (ask) =>
    ask('PUT', `${await setOf(ask)}/members`, { body: await memberOf(ask), headers: WHATEVER }),
  addMembers: async (ask) => ask('POST', `${await setOf(ask)}/members`, { body: await memberOf(ask) }),
  removeMember: async (ask) => {
    const [set, body] = [await setOf(ask), await memberOf(ask)];
    await ask('POST', `${set}/members`, { body });
    return ask('DELETE', `${set}/members/${body[0]?.test_case_id}`, { headers: WHATEVER });
  },
  listAgents: async (ask) => {
    await agentOf(ask);
    return ask('GET', '/agents');
  },
  createAgent: (ask) => ask('POST', '/agents', { body: { name: 'desk', config: CONFIG, note: 'first' } }),
  getAgent: async (ask) => ask('GET', await agentOf(ask)),
  changeAgent: async (ask) => ask('PATCH', await agentOf(ask), { body: {}, headers: WHATEVER }),
  archiveAgent: async (ask) => ask('DELETE', await agentOf(ask), { headers: WHATEVER }),
  listAgentVersions: async (ask) => ask('GET', `${await agentOf(ask)}/versions`),
  addAgentVersion: async (ask) =>
    ask('POST', `${await agentOf(ask)}/versions`, { body: { config: { ...CONFIG, timeoutMs: 9 } } }),
  getAgentVersion: async (ask) => ask('GET', `${await agentOf(ask)}/versions/1`),
  getAgentMocks: async (ask) => ask('GET', `${await agentOf(ask)}/mocks`),
  replaceAgentMocks: async (ask) =>
    ask('PUT', `${await agentOf(ask)}/mocks`, { body: [], headers: WHATEVER }),
  probeAgent: async (ask) => ask('POST', `${await agentOf(ask)}/probe`, { body: {} }),
  listTargets: async (ask) => ask('GET', '/targets'),
  startRun: async (ask, { folder }) => {
    await agentIn(folder, false);
    await ask('POST', '/test-cases', { body: { name: 'x', initial_message: 'x' } });
    return ask('POST', '/runs', { body: { select: {} } });
  },
  changeRun: async (ask, served) =>
    ask('PATCH', await endedRun(served), { body: { name: 'x' }, headers: WHATEVER }),
  cancelRun: async (ask, served) => ask('POST', `${(await heldRun(served)).run}/cancel`, { body: {} }),
  resumeRun: async (ask, served) => {
    const { run, release } = await heldRun(served);
    await ask('POST', `${run}/cancel`, { body: {} });
    await endOf(served, run);
    // A server that ends waits for trials that it runs.
    release();
    return ask('POST', `${run}/resume`, { body: { retry: ['cancelled'] } });
  },
  regradeRun: async (ask, served) => ask('POST', `${await endedRun(served)}/regrade`, { body: {} }),
  listAccounts: async (ask) => {
    await accountOf(ask);
    return ask('GET', '/accounts');
  },
  createAccount: (ask) => ask('POST', '/accounts', { body: { email: 'ann@example.com', role: 'viewer' } }),
  changeAccount: async (ask) =>
    ask('PATCH', `/accounts/${await accountOf(ask)}`, { body: { disabled: true } }),
  listTokens: async (ask) => {
    await tokenOf(ask);
    return ask('GET', '/tokens');
  },
  createToken: tokenOf,
  revokeToken: async (ask) => ask('DELETE', `/tokens/${(await tokenOf(ask)).body.id}`),
  getSession: (ask) => ask('GET', '/session'),
  getDatabase: (ask) => ask('GET', '/database'),
  listWorkers: async (ask, { store }) => {
    await workerOf(store());
    return ask('GET', '/workers');
  },
  rebuildDatabase: (ask) => ask('POST', '/database/rebuild'),
  pruneDatabase: (ask) =>
    ask('POST', '/database/prune', { body: { archived_before: '2026-01-01T00:00:00Z' } }),
  listMetrics: async (ask) => {
    await metricOf(ask);
    return ask('GET', '/metrics');
  },
  createMetric: (ask) => ask('POST', '/metrics', { body: { id: 'tone', ...METRIC } }),
  getMetric: async (ask) => ask('GET', await metricOf(ask)),
  replaceMetric: async (ask) => ask('PUT', await metricOf(ask), { body: METRIC, headers: WHATEVER }),
  archiveMetric: async (ask) => ask('DELETE', await metricOf(ask), { headers: WHATEVER }),
  getTestCaseMocks: async (ask) => ask('GET', `${await caseOf(ask)}/mocks`),
  replaceTestCaseMocks: async (ask) => {
    const body = [{ tool: 'look', params: { id: 1 }, result: 'found' }];
    return ask('PUT', `${await caseOf(ask)}/mocks`, { body, headers: WHATEVER });
  },
  importTestCases: (ask) => ask('POST', '/test-cases/import', { body: [{ name: 'x' }, { name: 'y' }] }),
  validateTestCases: (ask) => ask('POST', '/test-cases/validate', { body: [{ name: 'x' }, { name: '' }] }),
  previewTestCase: (ask) => ask('POST', '/test-cases/preview', { body: { name: 'x' } }),
  exportTestCases: async (ask) => {
    await caseOf(ask);
    return ask('GET', '/test-cases/export');
  },
  listTrialsOfTestCase: async (ask) => ask('GET', `${await caseOf(ask)}/trials`),
  listLastVerdicts: async (ask) =>
    ask('GET', `/test-cases/last-verdicts?id=${(await caseOf(ask)).split('/')[2]}`),
  listTags: (ask) => ask('GET', '/test-cases/tags'),
};

const operations = Object.keys(ASKED) as (keyof typeof ASKED)[];

onServedStores('operations of the store', (served) => {
  test.each(operations)('%s answers as its route says', async (operation) => {
    const { status, answer, tagged }: Route = table[operation];
    const answered = await ASKED[operation](served.ask, served);
    const read = answer === undefined ? answered.body : answer.parse(answered.body);
    expect([answered.status, read]).toEqual([status, answered.body]);
    expect(answered.headers.has('etag')).toBe(tagged === true);
  });
});
