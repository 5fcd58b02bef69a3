import { expect, test } from 'vitest';

import { prepare } from '../support/databases.ts';
import { countingAgent } from './support/counting-agent.ts';
import { openProject } from './support/here.ts';
import type { Files } from './support/project.ts';
import { killed, PATIENCE_MS, served } from './support/served.ts';
import { until } from './support/until.ts';

const TRIALS = 8;

const configFor = (url: string, more: object = {}) => ({
  targets: { bot: { type: 'http', url, ...more } },
  user: { type: 'scripted', messages: [] },
  judge: { model: 'none/none', metrics: [] },
  run: { seed: 3, concurrency: 2, expectations: [{ type: 'contains', value: 'right' }] },
});

const filesFor = (url: string): Files => ({
  'assay.config.json': configFor(url),
  'cases.json': Array.from({ length: TRIALS }, (_, number) => ({
    name: `case ${number}`,
    initial_message: `question ${number}`,
  })),
});

test('a run in the embedded store keeps other processes out, and leaves the store to them when it is killed', async () => {
  await using agent = await countingAgent(() => 'right');
  await using project = openProject(filesFor(agent.url));
  await prepare(project.path('.assay/data'));
  await project.here(['cases', 'import', 'cases.json']);
  const running = project.start(['run', '--stored']);
  agent.allow(3);
  await until('questions that wait', () => agent.asked() === 5, PATIENCE_MS);
  const refused = await Promise.all(
    [
      ['serve', '--port', '0'],
      ['cases', 'list'],
      ['run', '--stored'],
      ['resume', '--stored', 'latest'],
      ['db', 'rebuild'],
    ].map((args) => project.start(args).ended),
  );
  expect(refused.map(({ code, stdout, stderr }) => [code, stdout, stderr])).toEqual(
    refused.map(() => [2, '', expect.stringContaining(`is open in process ${running.pid} on `)]),
  );
  await killed(running);

  const server = await served(project);
  const { body: runs } = await server.ask('GET', '/runs');
  expect(runs.data.map(({ state }) => state)).toEqual(['interrupted']);
  const id = runs.data[0]?.id;
  agent.allow(Number.POSITIVE_INFINITY);
  const resumed = await server.ask('POST', `/runs/${id}/resume`, {});
  expect([resumed.status, resumed.body.error]).toEqual([202, null]);
  await until(
    'the end',
    async () => (await server.ask('GET', `/runs/${id}`)).body.state === 'completed',
    PATIENCE_MS,
  );
  const { body: whole } = await server.ask('GET', `/runs/${id}`);
  expect(whole.totals?.counts).toMatchObject({ total: TRIALS, passed: TRIALS });
  server.program.kill('SIGINT');
  expect((await server.program.ended).code).toBe(0);
}, 600_000);

test('a run whose config changed while its server was dead goes on only when that is accepted', async () => {
  await using agent = await countingAgent(() => 'right');
  await using project = openProject(filesFor(agent.url));
  await prepare(project.path('.assay/data'));
  await project.here(['cases', 'import', 'cases.json']);
  const first = await served(project);
  const { body: begun } = await first.ask('POST', '/runs', { select: {} });
  agent.allow(4);
  await until('questions that wait', () => agent.asked() === 6, PATIENCE_MS);
  await killed(first.program);
  project.write({ 'assay.config.json': configFor(agent.url, { headers: { 'x-new': 'yes' } }) });

  const second = await served(project);
  const path = `/runs/${begun.id}` as const;
  const before = (await second.ask('GET', path)).body;
  expect(before.state).toBe('interrupted');
  const refused = await second.ask('POST', `${path}/resume`, {});
  expect([refused.status, refused.body.error]).toMatchObject([
    409,
    { code: 'run-changed', message: expect.stringContaining('target bot') },
  ]);
  // Refusing left the run as it was.
  expect((await second.ask('GET', path)).body).toEqual(before);
  agent.allow(Number.POSITIVE_INFINITY);
  const accepted = await second.ask('POST', `${path}/resume`, { accept_changes: true });
  expect([accepted.status, accepted.body.error]).toEqual([202, null]);
  await until('the end', async () => (await second.ask('GET', path)).body.state === 'completed', PATIENCE_MS);
  const { body: whole } = await second.ask('GET', path);
  expect(whole.totals?.counts).toMatchObject({ total: TRIALS, passed: TRIALS });
  second.program.kill('SIGINT');
  expect((await second.program.ended).code).toBe(0);
}, 600_000);
