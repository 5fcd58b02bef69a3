import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { prepare } from '../../test/support/databases.ts';
import { heldAgent } from '../../test/support/held-agent.ts';
import { openOwnStore } from '../app/database.ts';
import type { Surroundings } from '../app/surroundings.ts';
import { openServe } from './open-serve.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

let cwd: string;
let surroundings: Surroundings;
beforeEach(async () => {
  cwd = folderOfTest('assay-open-serve-');
  surroundings = { cwd, environment: {}, now: Date.now, commandLine: ['serve'] };
  await prepare(join(cwd, '.assay/data'));
});

const faults: unknown[] = [];
const REQUEST = {
  host: '127.0.0.1',
  port: 0,
  auth: 'none',
  schema: 'migrate',
  resumes: false,
  onFault: (fault: unknown) => void faults.push(fault),
} as const;

test('the config of a server sets its limits', async () => {
  const limits = { maxBodyBytes: 30, maxImportCases: 1 };
  writeFileSync(join(cwd, 'assay.config.json'), JSON.stringify({ server: { limits } }));
  await using server = await openServe(REQUEST, surroundings);
  const sent = async (path: string, body: unknown) => {
    const headers = { 'Content-Type': 'application/json' };
    const asked = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${server.url}/api/v1/test-cases${path}`, asked)).status;
  };
  expect([
    await sent('', { name: 'x' }),
    await sent('', { name: 'a name of more than 30 bytes' }),
    await sent('/import', [{ name: 'y' }]),
    await sent('/import', [{ name: 'y' }, { name: 'z' }]),
  ]).toEqual([201, 413, 200, 413]);
});

test.each([
  ['0.0.0.0', 'none'],
  ['::', 'none'],
  ['0.0.0.0', 'token'],
  ['127.0.0.1', 'token'],
] as const)('at %s with auth %s a server that nobody guards or can enter is refused', async (host, auth) => {
  await expect(openServe({ ...REQUEST, host, auth }, surroundings)).rejects.toMatchObject({
    code: 'auth-required',
    hint: expect.stringContaining('assay tokens create EMAIL --name NAME'),
  });
  // It has closed its store.
  await using open = await openServe(REQUEST, surroundings);
  expect((await fetch(`${open.url}/api/v1/healthz`)).status).toBe(200);
});

test('a server that stops takes no connection while its runs end, and then closes its store', async () => {
  const agent = await heldAgent((text) => text === 'right 2');
  writeFileSync(
    join(cwd, 'assay.config.json'),
    JSON.stringify({
      targets: { bot: { type: 'http', url: agent.url } },
      user: { type: 'scripted', messages: [] },
      judge: { model: 'none/none', metrics: [] },
      run: { concurrency: 1, expectations: [{ type: 'contains', value: 'right' }] },
    }),
  );
  const server = await openServe(REQUEST, surroundings);
  const api = `${server.url}/api/v1`;
  const post = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { readonly id: string };
  };
  for (const text of ['right 1', 'right 2', 'right 3'])
    await post('/test-cases', { name: text, initial_message: text });
  const { id } = await post('/runs', { select: {} });
  await agent.came(2);
  const ended = server[Symbol.asyncDispose]();
  await expect(fetch(`${api}/healthz`)).rejects.toThrow('fetch failed');
  agent.release();
  await ended;
  const store = await openOwnStore(surroundings);
  try {
    const run = store.runs.open(id);
    expect([await run.state(), await run.counts(), agent.asked, faults]).toEqual([
      'interrupted',
      expect.objectContaining({ passed: 2 }),
      ['right 1', 'right 2'],
      [],
    ]);
  } finally {
    await store.close();
  }
});
