import { afterAll, beforeAll, expect, test } from 'vitest';

import { holdingProxy, type HoldingProxy } from '../support/holding-proxy.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { countingAgent } from './support/counting-agent.ts';
import { faultsIn, keptRun } from './support/kept-run.ts';
import { openProject } from './support/here.ts';
import { PATIENCE_MS, served, type Served } from './support/served.ts';
import { until } from './support/until.ts';
import { endLeasesOf, endsIn, factsIn, filled, projectFiles, worker } from './support/workers.ts';

let postgres: PostgresServer;
let env: { readonly DATABASE_URL: string };
beforeAll(async () => {
  postgres = await startPostgres();
  env = { DATABASE_URL: postgres.url('postgres') };
  await using project = openProject(projectFiles('http://127.0.0.1:9', TRIALS));
  await filled(project, env);
});
afterAll(() => postgres.stop());

const TRIALS = 4;

const begun = async ({ ask }: Served): Promise<string> =>
  (await ask('POST', '/runs', { select: {}, concurrency: 2 })).body.id;

const over = ({ ask }: Served, run: string) =>
  until(
    'the end of the run',
    async () => (await ask('GET', `/runs/${run}`)).body.state === 'completed',
    PATIENCE_MS,
  );

const interruptions = async (run: string): Promise<number> => {
  const ends = (await factsIn(env.DATABASE_URL, run, 'attempt-end')) as { readonly error?: object }[];
  return ends.filter(({ error }) => error !== undefined).length;
};

/** One trial was lost and ran again; all others ran once. */
const ONE_AGAIN = {
  ends: [{ times: 1, trials: TRIALS }],
  attempts: [
    { attempts: 1, trials: TRIALS - 1 },
    { attempts: 2, trials: 1 },
  ],
  handed: 0,
};

function through(proxy: HoldingProxy): { readonly DATABASE_URL: string } {
  const url = new URL(env.DATABASE_URL);
  url.port = String(proxy.port);
  return { DATABASE_URL: url.href };
}

test('a worker whose network was cut writes nothing of its lost trial when it is back, and goes on', async () => {
  await using agent = await countingAgent(() => 'right');
  await using project = openProject(projectFiles(agent.url, 0));
  await using network = await holdingProxy(Number(new URL(env.DATABASE_URL).port));
  const server = await served(project, env, ['--no-worker']);
  const away = await worker(project, through(network), ['--name', 'away']);
  const run = await begun(server);
  await until('a question', () => agent.asked() === 1, PATIENCE_MS);
  network.hold();
  // Its answer comes while it cannot write.
  agent.allow(1);
  await until('an answer', () => agent.answered() === 1, PATIENCE_MS);
  await endLeasesOf(env.DATABASE_URL, away.pid);
  await until('the end of its attempt', async () => (await interruptions(run)) === 1, PATIENCE_MS);
  const stayer = await worker(project, env, ['--name', 'stayer', '--concurrency', '2']);
  await until('two more questions', () => agent.asked() === 3, PATIENCE_MS);
  network.release();
  agent.allow(Number.POSITIVE_INFINITY);
  await over(server, run);
  expect(await endsIn(env.DATABASE_URL, run)).toEqual(ONE_AGAIN);
  expect(faultsIn((await keptRun(env.DATABASE_URL, run)).events, TRIALS)).toEqual([]);
  const programs = [away, stayer, server.program];
  for (const program of programs) program.kill('SIGINT');
  expect((await Promise.all(programs.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0, 0]);
}, 600_000);

test('a worker that is cut off while it has locked the run does not keep the others waiting', async () => {
  await using agent = await countingAgent(() => 'right');
  await using project = openProject(projectFiles(agent.url, 0));
  await using network = await holdingProxy(Number(new URL(env.DATABASE_URL).port));
  const server = await served(project, env, ['--no-worker']);
  const away = await worker(project, through(network), ['--name', 'away']);
  const locked = network.holdAfter('lock-shared-run');
  const run = await begun(server);
  await locked;
  const stayer = await worker(project, env, ['--name', 'stayer', '--concurrency', '2']);
  await endLeasesOf(env.DATABASE_URL, away.pid);
  agent.allow(Number.POSITIVE_INFINITY);
  await over(server, run);
  expect(await endsIn(env.DATABASE_URL, run)).toEqual(ONE_AGAIN);
  expect(faultsIn((await keptRun(env.DATABASE_URL, run)).events, TRIALS)).toEqual([]);
  network.release();
  const programs = [away, stayer, server.program];
  for (const program of programs) program.kill('SIGINT');
  expect((await Promise.all(programs.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0, 0]);
}, 600_000);

test('a worker tells once that it lost the database and once that it is back, and goes on', async () => {
  await using agent = await countingAgent(() => 'right');
  await using project = openProject(projectFiles(agent.url, 0));
  const hand = await worker(project, env, ['--name', 'hand', '--concurrency', '2']);
  await postgres.halt();
  const lost = /^cannot look for trials: .+; trying again every second$/m;
  await until('a complaint', () => lost.test(hand.complaints()), PATIENCE_MS);
  await postgres.restart();
  await until('its end', () => hand.complaints().includes('can look for trials again'), PATIENCE_MS);
  const server = await served(project, env, ['--no-worker']);
  const run = await begun(server);
  agent.allow(Number.POSITIVE_INFINITY);
  await over(server, run);
  const complaints = hand.complaints().trimEnd().split('\n');
  expect(complaints.filter((line, index) => complaints.indexOf(line) !== index)).toEqual([]);
  hand.kill('SIGTERM');
  const ended = await hand.ended;
  expect([ended.code, ended.stdout.trimEnd().split('\n').slice(1)]).toEqual([
    0,
    ['worker hand stops; no trial is running'],
  ]);
  server.program.kill('SIGINT');
  await server.program.ended;
}, 600_000);
