import { expect } from 'vitest';

import type { Operation, Table } from '../../src/api/table.ts';
import { sha256 } from '../../src/lib/digest.ts';
import { attached } from '../../src/storage/runs/detach.ts';
import { ended, manifestOf, rowOf } from '../../src/storage/run-directory/fixtures/runs.ts';
import type { ServedStore } from './served-store.ts';
import { uploadOf } from './uploaded-run.ts';

type Ask = ServedStore['ask'];

/** A request that is answered, before something in it is changed. */
export interface SoundRequest {
  readonly path: string;
  readonly body?: unknown;
  /** Of an upload, instead of `body`. */
  readonly text?: string;
}

const CONFIG = { type: 'http', url: 'http://127.0.0.1:1/turn', headers: { 'x-a': 'b' } };
const METRIC = { kind: 'scored', rubric: 'Is it kind?', default_weight: 1, display_name: 'Tone', tier: 'a' };
const CASE = {
  name: 'x',
  description: 'd',
  difficulty: 'hard',
  tags: ['a'],
  status: 'active',
  persona: { type: 'a', description: 'b', instructions: 'c' },
  initial_message: 'hello',
  user_context: { a: [1] },
  max_turns: 3,
  expected_outcomes: { b: { c: null } },
  expected_tool_calls: [{ tool: 'look', expected_params: { id: 1 } }],
  evaluation_criteria_override: 'e',
};
const MOCKS = [{ tool: 'look', match: 'partial', params: { id: 1 }, times: 2, result: { found: true } }];
const RUN = {
  name: 'n',
  note: 'o',
  line: 'l',
  tags: ['t'],
  targets: ['bot'],
  select: { tag_any: ['a'], search: 'x', status: ['active'] },
  repetitions: 1,
  user: { type: 'scripted', messages: ['more'] },
  judge: { model: 'none/none', metrics: [] },
  expectations: [{ type: 'contains', value: 'yes', name: 'says yes', weight: 1 }],
  faults: { rate: 0.5 },
  limits: { maxTurns: 2 },
  concurrency: 1,
  max_errored: 0.5,
  threshold: 50,
  sample: 1,
  limit: 1,
  gates: ['pass_rate >= 0.1'],
  seed: 1,
  dry_run: true,
};
const { id: UPLOADED } = manifestOf();
const LONG = 'z'.repeat(70_000);

const caseOf = async (ask: Ask): Promise<string> => {
  const { body } = await ask('POST', '/test-cases', {
    body: { name: 'x', tags: ['a'], initial_message: 'hi' },
  });
  return body.id;
};
const setOf = async (ask: Ask) => {
  const { body } = await ask('POST', '/case-sets', { body: { name: 'smoke' } });
  return `/case-sets/${body.id}`;
};
const agentOf = async (ask: Ask) => {
  const { body } = await ask('POST', '/agents', { body: { name: 'desk', config: CONFIG } });
  return `/agents/${body.id}`;
};
const uploadText = uploadOf([ended(rowOf('a', { output: attached(LONG) }))], {
  targets: [{ name: 't', type: 'mock', config: {}, digest: 0 }],
})
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');
const uploaded = async (ask: Ask): Promise<string> => {
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const answer = await ask('POST', '/runs/upload', { body: uploadText, headers });
  expect(answer.status).toBe(200);
  return `/runs/${UPLOADED}`;
};

export type ChangingOperation = {
  [Op in Operation]: Table[Op]['method'] extends 'GET' | 'DELETE' ? never : Op;
}[Operation];

/** One of each operation that changes something; the table demands them. */
export const SOUND_REQUESTS: Readonly<Record<ChangingOperation, (ask: Ask) => Promise<SoundRequest>>> = {
  createTestCase: async () => ({ path: '/test-cases', body: CASE }),
  changeTestCase: async (ask) => ({ path: `/test-cases/${await caseOf(ask)}`, body: CASE }),
  replaceTestCase: async (ask) => ({ path: `/test-cases/${await caseOf(ask)}`, body: CASE }),
  replaceTestCaseMocks: async (ask) => ({ path: `/test-cases/${await caseOf(ask)}/mocks`, body: MOCKS }),
  importTestCases: async () => ({
    path: '/test-cases/import?match=name&on_conflict=replace',
    body: [{ ...CASE, mocks: MOCKS }],
  }),
  validateTestCases: async () => ({ path: '/test-cases/validate', body: [CASE] }),
  previewTestCase: async () => ({ path: '/test-cases/preview', body: CASE }),
  createCaseSet: async () => ({ path: '/case-sets', body: { name: 's', description: 'd' } }),
  changeCaseSet: async (ask) => ({
    path: await setOf(ask),
    body: { name: 's', description: 'd', archived: true },
  }),
  replaceMembers: async (ask) => ({
    path: `${await setOf(ask)}/members`,
    body: [{ test_case_id: await caseOf(ask), repetitions: 2 }],
  }),
  addMembers: async (ask) => ({
    path: `${await setOf(ask)}/members`,
    body: [{ test_case_id: await caseOf(ask), repetitions: 2 }],
  }),
  createAgent: async () => ({
    path: '/agents',
    body: { name: 'desk', description: 'd', config: CONFIG, note: 'n' },
  }),
  changeAgent: async (ask) => ({ path: await agentOf(ask), body: { description: 'd', archived: false } }),
  addAgentVersion: async (ask) => ({
    path: `${await agentOf(ask)}/versions`,
    body: { config: CONFIG, note: 'n' },
  }),
  replaceAgentMocks: async (ask) => ({ path: `${await agentOf(ask)}/mocks`, body: MOCKS }),
  probeAgent: async (ask) => ({ path: `${await agentOf(ask)}/probe`, body: { version: 1 } }),
  startRun: async (ask) => {
    await caseOf(ask);
    return { path: '/runs', body: RUN };
  },
  changeRun: async (ask) => ({
    path: await uploaded(ask),
    body: { name: 'n', note: 'o', line: 'l', tags: ['t'], archived: false },
  }),
  cancelRun: async (ask) => ({ path: `${await uploaded(ask)}/cancel`, body: {} }),
  resumeRun: async (ask) => ({
    path: `${await uploaded(ask)}/resume`,
    body: { retry: ['errored'], budget_usd: 1, accept_changes: true },
  }),
  regradeRun: async (ask) => ({
    path: `${await uploaded(ask)}/regrade`,
    body: { judge: RUN.judge, expectations: RUN.expectations, select: { id: ['x'] } },
  }),
  addReview: async (ask) => ({
    path: `${await uploaded(ask)}/trials/1/reviews`,
    body: { verdict: 'passed', note: 'n', seen_judge: true, expectation: 'g' },
  }),
  setBaseline: async (ask) => {
    await uploaded(ask);
    return { path: '/baselines', body: { target: 't', line: 'main', run_id: UPLOADED } };
  },
  uploadRun: async () => ({ path: '/runs/upload', text: uploadText }),
  keepAttachment: async (ask) => {
    await uploaded(ask);
    return { path: `/attachments/${sha256(LONG)}`, text: LONG };
  },
  rebuildDatabase: async () => ({ path: '/database/rebuild', body: {} }),
  pruneDatabase: async () => ({
    path: '/database/prune',
    body: { archived_before: '2026-01-01T00:00:00Z', dry_run: true },
  }),
  signIn: async () => ({ path: '/session', body: { token: `assay_${'x'.repeat(43)}` } }),
  createAccount: async () => ({ path: '/accounts', body: { email: 'ann@example.com', role: 'member' } }),
  changeAccount: async (ask) => {
    const { body } = await ask('POST', '/accounts', { body: { email: 'bob@example.com', role: 'member' } });
    return { path: `/accounts/${body.id}`, body: { role: 'viewer', disabled: true } };
  },
  createToken: async (ask) => {
    await ask('POST', '/accounts', { body: { email: 'cy@example.com', role: 'member' } });
    const body = {
      account: 'cy@example.com',
      name: 'ci',
      role: 'viewer',
      expires_at: '2099-01-01T00:00:00Z',
    };
    return { path: '/tokens', body };
  },
  createMetric: async () => ({ path: '/metrics', body: { id: 'tone', ...METRIC } }),
  replaceMetric: async (ask) => {
    await ask('POST', '/metrics', { body: { id: 'calm', ...METRIC } });
    return { path: '/metrics/calm', body: METRIC };
  },
};
