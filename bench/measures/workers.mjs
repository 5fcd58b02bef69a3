import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeProject } from '../lib/inputs.mjs';
import { startPostgres } from '../lib/postgres.mjs';
import { served } from '../lib/served.mjs';
import {
  followed,
  importCases,
  perTrial,
  SLOTS,
  startedRun,
  stop,
  timePerTrial,
  untilBegun,
} from '../lib/worked-runs.mjs';
import { startWorkers } from '../lib/workers.mjs';

const WORKERS = 4;
/** Time in which the agent answers, in milliseconds. */
const WAITING_MS = 500;
const SHORT_MS = 20;

/** In this order. Each has a limit of time, and tells its figures when it has them. */
const PARTS = { overhead, scaling, ideal, large };
workers.parts = Object.keys(PARTS);

/** Runs of a store whose trials workers run. Each figure is from one run. */
export async function workers(context) {
  const { scratch, agent, size, parts } = context;
  const postgres = await startPostgres();
  const env = { DATABASE_URL: postgres.url('postgres') };
  const place = { cwd: projectWith(scratch, agent), env, slots: SLOTS };
  let server;
  let crew;
  const site = {
    ...context,
    ...size.shared,
    env,
    /** The server, with so many workers. */
    async staffed(count) {
      if (crew?.count !== count) {
        await crew?.stop();
        crew = { count, ...(await startWorkers(context, count, place)) };
      }
      return server;
    },
  };
  const lines = [];
  try {
    server = await served(context, ['serve', '--no-worker'], place);
    const [few, all] = size.shared.growth;
    await importCases(server, [size.shared.many, few, ...(parts.includes('large') ? [all] : [])]);
    for (const part of parts)
      for await (const line of PARTS[part](site)) {
        context.tell(line);
        lines.push(line);
      }
    return { lines };
  } finally {
    await crew?.stop();
    await server?.stop();
    await postgres.stop();
  }
}

async function* overhead(site) {
  const [few] = site.growth;
  const server = await site.staffed(1);
  const value = await timeOfNewRun(site, server, { trials: few, target: 'short', workers: 1 });
  const jobs = site.jobs;
  const { output } = await site.time([
    site.floorScript('pg-boss'),
    site.env.DATABASE_URL,
    String(jobs),
    String(SLOTS),
    site.agent.url(SHORT_MS),
  ]);
  yield {
    name: `time per trial of ${SHORT_MS} ms, 1 worker with ${SLOTS} slots; floor: pg-boss alone`,
    value: value * SLOTS,
    floor: (Number(output) * SLOTS) / jobs,
    unit: 'ms',
  };
}

async function* scaling(site) {
  const what = { trials: site.many, target: 'waiting' };
  const one = await timeOfNewRun(site, await site.staffed(1), { ...what, workers: 1 });
  const four = await timeOfNewRun(site, await site.staffed(WORKERS), { ...what, workers: WORKERS });
  yield {
    name: `${WORKERS} times the time of ${WORKERS} workers per trial of ${WAITING_MS} ms; floor: 1 worker`,
    value: WORKERS * four,
    floor: one,
    // 3.4 times as fast as one.
    budget: WORKERS / 3.4,
    unit: 'ms',
  };
}

/** Longer than 1.5 times the shortest possible time, it is cut. */
async function* ideal(site) {
  const server = await site.staffed(WORKERS);
  const { many } = site;
  const idealMs = (many * WAITING_MS) / (WORKERS * SLOTS);
  const { id } = await startedRun(server, { trials: many, target: 'waiting', workers: WORKERS });
  const seen = await followed(server, id, { mostMs: 1.5 * idealMs + 10_000 });
  const { ended, ms } = seen.at(-1);
  const isCut = ended < many;
  if (isCut) await stop(server, id);
  yield {
    name: `${text(ended)} trials of ${WAITING_MS} ms, ${WORKERS} workers with ${SLOTS} slots${isCut ? `; cut, the run has ${text(many)}` : ''}; floor: only waiting`,
    value: ms / 1000,
    floor: (idealMs * ended) / many / 1000,
    budget: 1.25,
    unit: 's',
  };
  const at = (share) => seen.find((each) => each.ended >= share * ended);
  yield {
    name: 'time per trial in the last fifth of this run; floor: in the second fifth',
    value: perTrial(at(0.8), at(0.99)),
    floor: perTrial(at(0.2), at(0.4)),
    budget: 1.1,
    unit: 'ms',
  };
}

async function* large(site) {
  const [few, all] = site.growth;
  const server = await site.staffed(WORKERS);
  const what = { target: 'short', workers: WORKERS };
  const floor = await timeOfNewRun(site, server, { ...what, trials: few });
  const { id, answeredMs } = await startedRun(server, { ...what, trials: all });
  yield {
    name: `start of ${text(all)} trials, until the server answers`,
    value: answeredMs / 1000,
    most: 5,
    unit: 's',
  };
  const begunMs = await untilBegun(server, id, 60_000);
  yield { name: 'from there until a worker has begun a trial', value: begunMs / 1000, unit: 's' };
  yield {
    name: `time per trial of ${SHORT_MS} ms in a run of ${text(all)}; floor: in a run of ${text(few)}`,
    value: await timePerTrial(
      server,
      { id, workers: WORKERS, database: site.env.DATABASE_URL },
      site.windowMs,
    ),
    floor,
    budget: 1.1,
    unit: 'ms',
  };
}

async function timeOfNewRun({ env, windowMs }, server, what) {
  const { id } = await startedRun(server, what);
  return await timePerTrial(server, { id, workers: what.workers, database: env.DATABASE_URL }, windowMs);
}

const text = (count) => count.toLocaleString('en');

function projectWith(scratch, agent) {
  const targets = {
    waiting: { type: 'http', url: agent.url(WAITING_MS) },
    short: { type: 'http', url: agent.url(SHORT_MS) },
  };
  const cwd = writeProject(scratch, 'workers', targets);
  const config = {
    targets,
    user: { type: 'scripted', messages: [] },
    judge: { model: 'none/none', metrics: [] },
    run: { expectations: [{ type: 'contains', value: 'delivered' }] },
  };
  writeFileSync(join(cwd, 'assay.config.json'), JSON.stringify(config));
  return cwd;
}
