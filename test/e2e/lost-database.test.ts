import { expect, test } from 'vitest';

import { serverDatabase } from '../../src/storage/database/server-database.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { countingAgent } from './support/counting-agent.ts';
import { openProject, type Files } from './support/project.ts';
import { runFeed } from './support/run-feed.ts';
import { PATIENCE_MS, served, type Served } from './support/served.ts';
import { until } from './support/until.ts';

const TRIALS = 20;

const filesFor = (url: string): Files => ({
  'assay.config.json': {
    targets: { bot: { type: 'http', url } },
    user: { type: 'scripted', messages: [] },
    judge: { model: 'none/none', metrics: [] },
    run: { seed: 3, concurrency: 2, expectations: [{ type: 'contains', value: 'right' }] },
  },
  'cases.json': Array.from({ length: TRIALS }, (_, number) => ({
    name: `case ${number}`,
    initial_message: `question ${number}`,
  })),
});

/** One request to each kind of room. */
const REQUESTS: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['GET', '/readyz'],
  ['GET', '/test-cases'],
  ['GET', '/case-sets'],
  ['GET', '/agents'],
  ['GET', '/metrics'],
  ['GET', '/baselines'],
  ['GET', '/accounts'],
  ['GET', '/runs'],
  ['GET', '/runs/RUN'],
  ['GET', '/runs/RUN/trials'],
  ['GET', '/runs/RUN/trials/1'],
  ['GET', '/runs/RUN/matrix'],
  ['GET', '/runs/RUN/events'],
  ['GET', '/trends'],
  ['GET', '/comparisons?base=RUN&candidate=RUN'],
  ['POST', '/test-cases', { name: 'late' }],
  ['POST', '/test-cases/import', [{ name: 'late' }]],
  ['POST', '/runs', { select: {} }],
  ['POST', '/runs/RUN/resume', {}],
  ['POST', '/runs/RUN/regrade', {}],
  ['PATCH', '/runs/RUN', { name: 'late' }],
];

test('a server outlives its database: the run is interrupted with nothing half written, and goes on later', async () => {
  const postgres = await startPostgres();
  const env = { DATABASE_URL: postgres.url('postgres').replace('assay@', 'assay:hunter2-hunter2@') };
  await using agent = await countingAgent(() => 'right');
  await using project = openProject(filesFor(agent.url));
  await project.start(['db', 'migrate'], env).ended;
  await project.start(['cases', 'import', 'cases.json'], env).ended;
  const server = await served(project, env);
  const { body: begun } = await server.ask('POST', '/runs', { select: {} });
  const run: string = begun.id;
  const stateNow = async () => (await server.ask('GET', `/runs/${run}`)).body.state;
  agent.allow(6);
  await until(
    'some trials have ended',
    async () => {
      const { body } = await server.ask('GET', `/runs/${run}/trials`);
      return body.data.length === 6;
    },
    PATIENCE_MS,
  );
  const feed = runFeed(run);
  const reading = feed.read(server.api);
  await until('the feed', () => feed.events.length > 0, PATIENCE_MS);

  await postgres.halt();
  const answers: [string, Awaited<ReturnType<Served['ask']>>][] = [];
  for (const [method, path, body] of REQUESTS) {
    answers.push([`${method} ${path}`, await server.ask(method, path.replaceAll('RUN', run), body)]);
  }
  expect(answers.map(([what, { status, body }]) => [what, status, body.error?.code])).toEqual(
    REQUESTS.map(([method, path]) => [`${method} ${path}`, 503, 'database-unreachable']),
  );
  expect((await server.ask('GET', '/healthz')).status).toBe(200);
  await reading;
  // The answers that come now cannot be written.
  agent.allow(2);
  await until(
    'the end of the run in this process',
    () => server.program.complaints().includes('cannot write to'),
    PATIENCE_MS,
  );

  await postgres.restart();
  await until('an interrupted run', async () => (await stateNow()) === 'interrupted', PATIENCE_MS);
  const kept = (await server.ask('GET', `/runs/${run}/trials?limit=200`)).body.data;
  expect(kept).toHaveLength(6);
  const resumed = await server.ask('POST', `/runs/${run}/resume`, {});
  expect([resumed.status, resumed.body.error]).toEqual([202, null]);
  agent.allow(Number.POSITIVE_INFINITY);
  await until('the end', async () => (await stateNow()) === 'completed', PATIENCE_MS);
  const whole = (await server.ask('GET', `/runs/${run}`)).body;
  expect(whole.totals?.counts).toMatchObject({ total: TRIALS, passed: TRIALS });
  await feed.read(server.api);
  expect(feed.events.map(({ sequence }) => sequence)).toEqual(feed.events.map((_, index) => index + 1));
  const ends = feed.events.flatMap(({ trial, fact }) => (fact.type === 'trial-end' ? [trial] : []));
  expect([ends.length, new Set(ends).size]).toEqual([TRIALS, TRIALS]);

  server.program.kill('SIGINT');
  const ended = await server.program.ended;
  expect(ended.code).toBe(0);
  const said = JSON.stringify([ended, answers]);
  expect(said).not.toContain('hunter2');
  expect(said).not.toMatch(/ at \S+:\d+:\d+|node:internal|node_modules/);
  expect(answers.filter(([, { body }]) => JSON.stringify(body).includes('postgres'))).toEqual([]);
  const database = await serverDatabase(env.DATABASE_URL);
  const trials = () => database.query('select * from trial order by number');
  const before = await trials();
  expect((await project.start(['db', 'rebuild'], env).ended).stdout).toMatch(/^rebuilt 1 run /);
  expect(await trials()).toEqual(before);
  await database.close();
  await postgres.stop();
}, 600_000);

test('a run whose database is gone while nothing is to be written does not notice', async () => {
  const postgres = await startPostgres();
  const env = { DATABASE_URL: postgres.url('postgres') };
  await using agent = await countingAgent(() => 'right');
  await using project = openProject(filesFor(agent.url));
  await project.start(['db', 'migrate'], env).ended;
  await project.start(['cases', 'import', 'cases.json'], env).ended;
  const server = await served(project, env);
  const { body: begun } = await server.ask('POST', '/runs', { select: {} });
  agent.allow(4);
  await until('two questions that wait', () => agent.asked() === 6, PATIENCE_MS);
  const countOf = async (type: string) => {
    const { body } = await server.ask('GET', `/runs/${begun.id}/events?limit=200`);
    return body.data.filter(({ fact }: { fact: { type: string } }) => fact.type === type).length;
  };
  await until('all written', async () => (await countOf('attempt-start')) === 6, PATIENCE_MS);
  await postgres.halt();
  expect((await server.ask('GET', '/readyz')).status).toBe(503);
  await postgres.restart();
  await until(
    'the database again',
    async () => (await server.ask('GET', '/readyz')).status === 200,
    PATIENCE_MS,
  );
  agent.allow(Number.POSITIVE_INFINITY);
  await until(
    'the end',
    async () => (await server.ask('GET', `/runs/${begun.id}`)).body.state === 'completed',
    PATIENCE_MS,
  );
  const { body: whole } = await server.ask('GET', `/runs/${begun.id}`);
  expect(whole.totals?.counts).toMatchObject({ total: TRIALS, passed: TRIALS });
  server.program.kill('SIGINT');
  expect((await server.program.ended).code).toBe(0);
  await postgres.stop();
}, 600_000);
