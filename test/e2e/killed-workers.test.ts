import { setTimeout as after } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { seededRandom } from '../../src/lib/random.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import type { Running } from './support/cli.ts';
import { countingAgent, type CountingAgent } from './support/counting-agent.ts';
import { erroredIn, faultsIn, keptRun } from './support/kept-run.ts';
import { openProject } from './support/here.ts';
import type { Project } from './support/project.ts';
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

    const kept = await keptRun(env.DATABASE_URL, run);
    const wrong = Math.floor(TRIALS / 5);
    const lost = erroredIn(kept.events);
    expect(lost.length).toBeLessThanOrEqual(KILLS);
    const { total = 0, passed = 0, failed = 0, errored = 0 } = whole.totals?.counts ?? {};
    expect({ total, errored }).toEqual({ total: TRIALS, errored: lost.length });
    expect(passed + failed + errored).toBe(TRIALS);
    expect(failed).toBeGreaterThanOrEqual(wrong - lost.length);
    expect(faultsIn(kept.events, TRIALS)).toEqual([]);
    expect(kept.handed).toBe(0);
    // Who is cut off from the database learns later than others that its trial begins anew.
    const isCutOff = victim === 'database' || victim === 'any';
    expect(agent.mostAtOnce()).toBeLessThanOrEqual(isCutOff ? TRIALS : CONCURRENCY);
    const spent = Number(whole.manifest?.spent?.usd);
    expect(spent).toBeGreaterThanOrEqual(agent.answered() * ANSWER_USD - 1e-6);
    expect(spent).toBeLessThanOrEqual(agent.asked() * CEILING_USD + 1e-6);
    expect((await project.here(['db', 'rebuild'], env)).stdout).toMatch(/^rebuilt 1 run /);
    expect(await keptRun(env.DATABASE_URL, run)).toEqual(kept);
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
  const servers: Served[] = [];
  const workers: Running[] = [];
  const serve = async (): Promise<Served> => {
    const program = project.start(['serve', '--port', '0', '--no-worker', '--resume'], env);
    return { program, ...(await addressOf(program)) };
  };
  const work = () => worker(project, env, ['--concurrency', '2']);
  const programs = () => [...servers.map(({ program }) => program), ...workers];
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
      const conducting = await until(
        'a conductor',
        async () => {
          const pid = await conductorOf(env.DATABASE_URL, run);
          return servers.find(({ program }) => program.pid === pid);
        },
        PATIENCE_MS,
      );
      const index = servers.findIndex((each) => (each === conducting) === (role === 'conductor'));
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
