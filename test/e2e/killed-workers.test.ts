import { setTimeout as after } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Fact } from '../../src/core/run.ts';
import { seededRandom } from '../../src/lib/random.ts';
import { serverDatabase } from '../../src/storage/database/server-database.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { countingAgent, type CountingAgent } from './support/counting-agent.ts';
import type { Running } from './support/cli.ts';
import { openProject, type Project } from './support/project.ts';
import { addressOf, killed, PATIENCE_MS, type Served } from './support/served.ts';
import { until } from './support/until.ts';
import { conductorOf, endLeases, endLeasesOf, filled, projectFiles, worker } from './support/workers.ts';

/** `ASSAY_KILLS=20` kills more often and prints what it saw; `E2E_SEED` chooses other moments. */
const KILLS = Number(process.env['ASSAY_KILLS'] ?? 2);
const SEED = Number(process.env['E2E_SEED'] ?? 14);

/** Questions that are answered before somebody is killed, at most. */
const ANSWERS = 6;
const TRIALS = (ANSWERS + 1) * KILLS + 6;

const ANSWER_USD = 0.005;
const CEILING_USD = 0.02;
const CONCURRENCY = 3;

let postgres: PostgresServer;
let env: { readonly DATABASE_URL: string };
beforeEach(async () => {
  postgres = await startPostgres();
  env = { DATABASE_URL: postgres.url('postgres') };
});
afterEach(() => postgres.stop());

const ROLES = ['worker', 'conductor', 'other server', 'database'] as const;
type Role = (typeof ROLES)[number];

test.each<Role | 'any'>([...ROLES, 'any'])(
  `killed ${KILLS} times in one run, seed ${SEED}: %s`,
  async (victim) => {
    await using agent = await countingAgent((said) =>
      Number(said.split(' ')[1]) % 5 === 4 ? 'no' : 'right',
    );
    await using project = openProject(filesFor(agent));
    await filled(project, env);
    const crew = crewOf(project);
    await crew.start();
    const [server] = crew.servers;
    if (server === undefined) throw new Error('no server');
    const begun = await server.ask('POST', '/runs', { select: {}, budget_usd: 1000 });
    const run: string = begun.body.id;

    const random = seededRandom(SEED);
    const seen: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const role = victim === 'any' ? (ROLES[Math.floor(random() * ROLES.length)] ?? 'worker') : victim;
      const moment = drawn(random);
      const come = reached(moment, agent);
      agent.allow(ANSWERS);
      await come;
      await crew.kill(role, run);
      seen.push(`${kill + 1}\t${role}\t${momentText(moment)}\tanswered ${agent.answered()}`);
    }
    agent.onStep(() => undefined);
    agent.allow(Number.POSITIVE_INFINITY);
    const whole = await completed(crew, run);
    if (process.env['ASSAY_KILLS'] !== undefined) process.stdout.write(`${victim}\n${seen.join('\n')}\n`);

    const kept = await keptOf(run);
    const wrong = Math.floor(TRIALS / 5);
    const lost = lostTooOften(kept.events);
    expect(lost.length).toBeLessThanOrEqual(KILLS);
    const { total, passed, failed, errored } = whole.totals.counts;
    expect({ total, errored }).toEqual({ total: TRIALS, errored: lost.length });
    expect(passed + failed + errored).toBe(TRIALS);
    expect(failed).toBeGreaterThanOrEqual(wrong - lost.length);
    expect(faultsIn(kept.events)).toEqual([]);
    expect(kept.handed).toBe(0);
    // Who is cut off from the database learns later than others that its trial begins anew.
    const isCutOff = victim === 'database' || victim === 'any';
    expect(agent.mostAtOnce()).toBeLessThanOrEqual(isCutOff ? TRIALS : CONCURRENCY);
    const spent = Number(whole.manifest.spent.usd);
    expect(spent).toBeGreaterThanOrEqual(agent.answered() * ANSWER_USD - 1e-6);
    expect(spent).toBeLessThanOrEqual(agent.asked() * CEILING_USD + 1e-6);
    expect((await project.start(['db', 'rebuild'], env).ended).stdout).toMatch(/^rebuilt 1 run /);
    expect(await keptOf(run)).toEqual(kept);
    await crew.end();
    expect(await project.orphans()).toEqual([]);
  },
  KILLS * 90_000 + 300_000,
);

const filesFor = (agent: CountingAgent) => {
  const { 'assay.config.json': config, ...files } = projectFiles(agent.url, TRIALS);
  const price = { input: 0, output: 1000 };
  return {
    ...files,
    'assay.config.json': {
      ...(config as object),
      targets: { bot: { type: 'http', url: agent.url, price } },
      run: {
        seed: 3,
        concurrency: CONCURRENCY,
        limits: { maxCostUsd: CEILING_USD },
        expectations: [{ type: 'contains', value: 'right' }],
      },
    },
  };
};

type Moment =
  | { readonly kind: 'question' | 'answer'; readonly count: number }
  | { readonly kind: 'later'; readonly count: number; readonly ms: number };

function drawn(random: () => number): Moment {
  const count = 1 + Math.floor(random() * ANSWERS);
  const ms = Math.floor(random() * 400);
  const kinds = ['question', 'answer', 'later'] as const;
  const kind = kinds[Math.floor(random() * kinds.length)] ?? 'later';
  return kind === 'later' ? { kind, count, ms } : { kind, count };
}

function momentText(moment: Moment): string {
  return Object.entries(moment)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');
}

async function reached(moment: Moment, agent: CountingAgent): Promise<void> {
  let left = moment.count;
  await new Promise<void>((resolve) => {
    agent.onStep((kind) => {
      if ((kind === 'answer') === (moment.kind === 'answer') && (left -= 1) === 0) resolve();
    });
  });
  if (moment.kind === 'later') await after(moment.ms);
}

/** Two servers and two workers. Who is killed is replaced. */
function crewOf(project: Project) {
  const servers: (Served | undefined)[] = [];
  const workers: Running[] = [];
  const serve = async (): Promise<Served> => {
    const program = project.start(['serve', '--port', '0', '--no-worker', '--resume'], env);
    return { program, ...(await addressOf(program)) };
  };
  const work = () => worker(project, env, ['--concurrency', '2']);
  const programs = () => [...servers.flatMap((server) => server?.program ?? []), ...workers];
  return {
    servers,
    async start(): Promise<void> {
      servers.push(await serve(), await serve());
      workers.push(await work(), await work());
    },
    async kill(role: Role, run: string): Promise<void> {
      if (role === 'database') {
        await postgres.kill();
        await postgres.restart();
        // Those who could not write have let go of their trials.
        await endLeases(env.DATABASE_URL, 'trials');
        return;
      }
      if (role === 'worker') {
        const [first] = workers.splice(0, 1);
        if (first === undefined) throw new Error('no worker');
        await killed(first);
        await endLeasesOf(env.DATABASE_URL, first.pid);
        workers.push(await work());
        return;
      }
      const pid = await until('a conductor', () => conductorOf(env.DATABASE_URL, run), PATIENCE_MS);
      const index = servers.findIndex((server) => (server?.program.pid === pid) === (role === 'conductor'));
      const server = servers[index];
      if (server === undefined) throw new Error(`no ${role}`);
      await killed(server.program);
      await endLeasesOf(env.DATABASE_URL, server.program.pid);
      servers[index] = await serve();
    },
    async end(): Promise<void> {
      for (const program of programs()) program.kill('SIGINT');
      const codes = await Promise.all(programs().map(async ({ ended }) => (await ended).code));
      expect(codes).toEqual(codes.map(() => 0));
    },
  };
}

async function completed({ servers: [server] }: ReturnType<typeof crewOf>, run: string) {
  const deadline = PATIENCE_MS + KILLS * 20_000;
  return await until(
    'the end of the run',
    async () => {
      const { body } = (await server?.ask('GET', `/runs/${run}`)) ?? {};
      return body?.state === 'completed' ? body : undefined;
    },
    deadline,
  );
}

interface KeptEvent {
  readonly sequence: number;
  readonly trial: string | null;
  readonly lease: string;
  readonly fact: Fact;
}

/** What is stored of a run, without the times of its rows. */
async function keptOf(run: string) {
  const database = await serverDatabase(env.DATABASE_URL);
  const ask = (sql: string) => database.query<Readonly<Record<string, unknown>>>(sql, [run]);
  try {
    const events = await ask(
      'select sequence, trial_key as trial, lease, fact from run_event where run_id = $1 order by sequence',
    );
    const [handed] = await ask('select count(*) as left from handed_trial where run_id = $1');
    return {
      events: events.map(({ fact, ...event }) => ({
        ...event,
        fact: JSON.parse(String(fact)) as Fact,
      })) as unknown as readonly KeptEvent[],
      handed: handed?.['left'],
      trials: await ask('select * from trial where run_id = $1 order by number'),
      grades: await ask('select * from grade where run_id = $1 order by trial_number, ordinal'),
      run: await ask('select state, tally, spent_usd, reserved_usd, last_sequence from run where id = $1'),
    };
  } finally {
    await database.close();
  }
}

/** The trials that lost three workers. */
function lostTooOften(events: readonly KeptEvent[]): readonly string[] {
  return events.flatMap(({ trial, fact }) =>
    trial !== null && fact.type === 'trial-end' && fact.row.verdict === 'errored' ? [trial] : [],
  );
}

/** What is wrong with a log. */
function faultsIn(events: readonly KeptEvent[]): readonly string[] {
  const faults = events.flatMap(({ sequence }, index) =>
    sequence === index + 1 ? [] : [`${sequence} is number ${index + 1}`],
  );
  const conductors = new Set(events.flatMap(({ trial, lease }) => (trial === null ? [lease] : [])));
  const trials = new Map<string, KeptEvent[]>();
  for (const event of events)
    if (event.trial !== null) trials.set(event.trial, [...(trials.get(event.trial) ?? []), event]);
  if (trials.size !== TRIALS) faults.push(`${trials.size} trials`);
  for (const [trial, ofTrial] of trials)
    faults.push(...lifeOf(ofTrial, conductors).map((fault) => `${trial}: ${fault}`));
  return faults;
}

/** What is wrong with a trial: doubled ends, attempts out of order, and what a lost worker wrote later. */
function lifeOf(events: readonly KeptEvent[], conductors: ReadonlySet<string>): readonly string[] {
  const faults: string[] = [];
  const gone = new Set<string>();
  let [last, attempts, isOpen, hasEnded] = ['', 0, false, false];
  for (const { sequence, lease, fact } of events) {
    if (hasEnded && fact.type !== 'note') faults.push(`${fact.type} (${sequence}) behind its end`);
    if (lease !== last && !conductors.has(last)) gone.add(last);
    if (gone.has(lease)) faults.push(`${fact.type} (${sequence}) under a lost lease`);
    last = lease;
    if (fact.type === 'attempt-start') {
      if (isOpen) faults.push(`an attempt (${sequence}) within another one`);
      [isOpen, attempts] = [true, attempts + 1];
    }
    if (fact.type === 'attempt-end') isOpen = false;
    if (fact.type !== 'trial-end') continue;
    if (isOpen) faults.push(`its end (${sequence}) within an attempt`);
    hasEnded = true;
    if (fact.row.attempts.length < attempts)
      faults.push(`${fact.row.attempts.length} of ${attempts} attempts in its row`);
  }
  if (!hasEnded) faults.push('no end');
  return faults;
}
