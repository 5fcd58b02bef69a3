import { afterAll, beforeAll, expect, test } from 'vitest';

import type { RunEvent } from '../../src/core/run.ts';
import { serverDatabase } from '../../src/storage/database/server-database.ts';
import { sharedDatabase, type SharedDatabase } from '../support/databases.ts';
import { countingAgent } from './support/counting-agent.ts';
import { openProject, type Files } from './support/project.ts';
import { runFeed } from './support/run-feed.ts';
import { killed, PATIENCE_MS, served, type Served } from './support/served.ts';
import { until } from './support/until.ts';
import { endLeases } from './support/workers.ts';

let postgres: SharedDatabase;
beforeAll(async () => {
  postgres = await sharedDatabase('empty');
});
afterAll(() => postgres.end());

/** Each leaves more than six events. */
const TRIALS = 170;

const filesFor = (url: string): Files => ({
  'assay.config.json': {
    targets: { bot: { type: 'http', url } },
    user: { type: 'scripted', messages: [] },
    judge: { model: 'none/none', metrics: [] },
    run: { seed: 3, concurrency: 4, expectations: [{ type: 'contains', value: 'right' }] },
  },
  'cases.json': Array.from({ length: TRIALS }, (_, number) => ({
    name: `case ${number}`,
    initial_message: `question ${number}`,
  })),
});

const stateAt = async ({ ask }: Served, run: string): Promise<string> =>
  (await ask('GET', `/runs/${run}`)).body.state;

test('a second server shows the runs of the first, leaves them alone, and takes over when it is dead', async () => {
  const env = { DATABASE_URL: postgres.url };
  await using agent = await countingAgent(() => 'right');
  await using project = openProject(filesFor(agent.url));
  await project.start(['db', 'migrate'], env).ended;
  await project.start(['cases', 'import', 'cases.json'], env).ended;
  const first = await served(project, env);
  const second = await served(project, env, ['--resume']);
  const { body: begun } = await first.ask('POST', '/runs', { select: {} });
  const run: string = begun.id;
  agent.allow(20);
  await until('questions that wait', () => agent.asked() === 24, PATIENCE_MS);

  expect(await stateAt(second, run)).toBe('running');
  const refused = await second.ask('POST', `/runs/${run}/resume`, {});
  expect([refused.status, refused.body.error.code]).toEqual([409, 'run-in-use']);

  const feed = runFeed(run);
  const reading = feed.read(second.api);
  await until('the beginning of the feed', () => feed.events.length > 100, PATIENCE_MS);
  const before = feed.events.length;
  agent.allow(Number.POSITIVE_INFINITY);
  await reading;
  expect(await stateAt(second, run)).toBe('completed');
  expect(feed.events.length - before).toBeGreaterThan(1000);
  expect(gapsIn(feed.events)).toEqual([]);
  expect(await executorsOf(run, env.DATABASE_URL)).toBe(1);

  agent.allow(10);
  const { body: other } = await first.ask('POST', '/runs', { select: {} });
  const took = runFeed(other.id);
  const beginning = took.read(second.api);
  await until(
    'a trial that ended',
    () => took.events.some(({ fact }) => fact.type === 'trial-end'),
    PATIENCE_MS,
  );
  await killed(first.program);
  expect(await stateAt(second, other.id)).toBe('running');
  await endLeases(env.DATABASE_URL, 'runs');
  await beginning;
  agent.allow(Number.POSITIVE_INFINITY);
  await until('the take-over', async () => (await stateAt(second, other.id)) === 'completed', PATIENCE_MS);
  await took.read(second.api);
  expect(gapsIn(took.events)).toEqual([]);
  const ends = took.events.flatMap(({ trial, fact }) => (fact.type === 'trial-end' ? [trial] : []));
  expect([ends.length, new Set(ends).size]).toEqual([TRIALS, TRIALS]);
  expect(await executorsOf(other.id, env.DATABASE_URL)).toBe(2);
  second.program.kill('SIGINT');
  const ended = await second.program.ended;
  expect([ended.code, ended.stderr.split('\n').length]).toEqual([0, 2]);
}, 600_000);

/** Sequences that are missing, doubled or out of order. */
function gapsIn(events: readonly RunEvent[]): readonly number[] {
  return events.flatMap(({ sequence }, index) => (sequence === index + 1 ? [] : [sequence]));
}

/** How many leases wrote its log. */
async function executorsOf(run: string, url: string): Promise<number | undefined> {
  const database = await serverDatabase(url);
  const [row] = await database.query<{ leases: number }>(
    'select count(distinct lease) as leases from run_event where run_id = $1',
    [run],
  );
  await database.close();
  return row?.leases;
}
