import { afterAll, beforeAll, expect, test } from 'vitest';

import { serverDatabase } from '../../src/storage/database/server-database.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import type { Running } from './support/cli.ts';
import { countingAgent } from './support/counting-agent.ts';
import { openProject, type Files, type Project } from './support/project.ts';
import { PATIENCE_MS, served } from './support/served.ts';
import { until } from './support/until.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const TRIALS = 40;

const filesFor = (url: string): Files => ({
  'assay.config.json': {
    targets: { bot: { type: 'http', url } },
    user: { type: 'scripted', messages: [] },
    judge: { model: 'none/none', metrics: [] },
    run: { seed: 3, concurrency: 6, expectations: [{ type: 'contains', value: 'right' }] },
  },
  'cases.json': Array.from({ length: TRIALS }, (_, number) => ({
    name: `case ${number}`,
    initial_message: `question ${number}`,
  })),
});

type Environment = Readonly<Record<string, string>>;

async function worker(project: Project, env: Environment, name: string): Promise<Running> {
  const program = project.start(['worker', '--name', name, '--concurrency', '4'], env);
  await until(`worker ${name}`, () => program.printed().includes('is ready'), PATIENCE_MS);
  return program;
}

async function filled(project: Project, env: Environment): Promise<void> {
  for (const args of [
    ['db', 'migrate'],
    ['cases', 'import', 'cases.json'],
  ]) {
    const { code, stderr } = await project.start(args, env).ended;
    if (code !== 0) throw new Error(stderr);
  }
}

/** How many trials ended so often, and how many leases wrote their ends. */
async function endsIn(url: string, run: string) {
  const database = await serverDatabase(url);
  const ends = await database.query<{ times: number; trials: number }>(
    `select times, count(*) as trials from (
       select trial_key, count(*) as times from run_event where run_id = $1 and type = 'trial-end' group by trial_key
     ) as ends group by times`,
    [run],
  );
  const [left] = await database.query<{ handed: number }>('select count(*) as handed from handed_trial');
  await database.close();
  return { ends, handed: left?.handed };
}

test('two workers run all trials of a server without a worker, each exactly once', async () => {
  const env = { DATABASE_URL: postgres.url('postgres') };
  await using agent = await countingAgent(() => 'right');
  await using project = openProject(filesFor(agent.url));
  await filled(project, env);
  const server = await served(project, env, ['--no-worker']);
  const { body: begun } = await server.ask('POST', '/runs', { select: {} });
  const run: string = begun.id;
  const workers = [await worker(project, env, 'one'), await worker(project, env, 'two')];
  await until('as many questions as may run at once', () => agent.asked() === 6, PATIENCE_MS);
  agent.allow(Number.POSITIVE_INFINITY);
  const state = async () => (await server.ask('GET', `/runs/${run}`)).body;
  await until('the end of the run', async () => (await state()).state === 'completed', PATIENCE_MS);
  const { totals } = await state();
  expect(totals.counts).toMatchObject({ total: TRIALS, passed: TRIALS });
  expect(await endsIn(env.DATABASE_URL, run)).toEqual({ ends: [{ times: 1, trials: TRIALS }], handed: 0 });
  expect(agent.asked()).toBe(TRIALS);
  for (const program of [...workers, server.program]) program.kill('SIGINT');
  for (const program of [...workers, server.program]) {
    const { code, stderr } = await program.ended;
    expect([code, stderr.replace(/^warning: no authentication.*\n/, '')]).toEqual([0, '']);
  }
}, 600_000);
