import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeProject } from '../lib/inputs.mjs';
import { startPostgres } from '../lib/postgres.mjs';
import { served } from '../lib/served.mjs';
import { startWorkers } from '../lib/workers.mjs';

const SLOTS = 8;
const WORKERS = 4;
/** Time in which the agent answers, in milliseconds. */
const WAITING_MS = 500;
const SHORT_MS = 20;

/** Runs of a store whose trials workers run. Each figure is from one run. */
export async function workers(context) {
  const postgres = await startPostgres();
  const { scratch, agent, size } = context;
  const env = { DATABASE_URL: postgres.url('postgres') };
  const cwd = projectWith(scratch, agent);
  const place = { cwd, env, slots: SLOTS };
  let server;
  let crew;
  try {
    server = await served(context, ['serve', '--no-worker'], place);
    await importCases(server, size.shared);
    crew = await startWorkers(context, 1, place);
    const one = await timeOf(server, { trials: size.shared.waiting, target: 'waiting', workers: 1 });
    const short = await timeOf(server, { trials: size.shared.short, target: 'short', workers: 1 });
    await crew.stop();
    const floor = await context.time([
      context.floorScript('pg-boss'),
      env.DATABASE_URL,
      String(size.shared.short),
      String(SLOTS),
      agent.url(SHORT_MS),
    ]);
    crew = await startWorkers(context, WORKERS, place);
    const four = await timeOf(server, { trials: size.shared.waiting, target: 'waiting', workers: WORKERS });
    const many = await timeOf(server, { trials: size.shared.many, target: 'waiting', workers: WORKERS });
    const [few, all] = size.shared.growth;
    const small = await timeOf(server, { trials: few, target: 'short', workers: WORKERS });
    const large = await timeOf(server, { trials: all, target: 'short', workers: WORKERS });
    const begun = await beginning(server, size.shared.started);
    return {
      lines: linesOf(size.shared, {
        one,
        short,
        floor: Number(floor.output),
        four,
        many,
        small,
        large,
        begun,
      }),
    };
  } finally {
    await crew?.stop();
    await server?.stop();
    await postgres.stop();
  }
}

/** `sizes`: numbers of trials. The other figures are milliseconds. */
function linesOf(sizes, { one, short, floor, four, many, small, large, begun }) {
  const [few, all] = sizes.growth;
  return [
    {
      name: `${text(sizes.many)} trials of ${WAITING_MS} ms, ${WORKERS} workers with ${SLOTS} slots; floor: only waiting`,
      value: many / 1000,
      floor: (sizes.many * WAITING_MS) / (WORKERS * SLOTS) / 1000,
      budget: 1.25,
      unit: 's',
    },
    {
      name: `${WORKERS} times the time of ${WORKERS} workers for ${text(sizes.waiting)} such trials; floor: 1 worker`,
      value: (WORKERS * four) / 1000,
      floor: one / 1000,
      // 3.4 times as fast as one.
      budget: WORKERS / 3.4,
      unit: 's',
    },
    {
      name: `time per trial of ${SHORT_MS} ms, 1 worker with ${SLOTS} slots; floor: pg-boss alone`,
      value: perTrial(short, sizes.short, 1),
      floor: perTrial(floor, sizes.short, 1),
      unit: 'ms',
    },
    {
      name: `time per trial of ${SHORT_MS} ms in a run of ${text(all)}; floor: in a run of ${text(few)}`,
      value: perTrial(large, all, WORKERS),
      floor: perTrial(small, few, WORKERS),
      budget: 1.1,
      unit: 'ms',
    },
    {
      name: `start of ${text(sizes.started)} trials, until the server answers`,
      value: begun.answered / 1000,
      most: 5,
      unit: 's',
    },
    { name: 'from there until a worker has begun a trial', value: begun.first / 1000, unit: 's' },
  ];
}

const text = (count) => count.toLocaleString('en');

/** Time that a slot is busy with one trial, in milliseconds. */
const perTrial = (ms, trials, count) => (ms * SLOTS * count) / trials;

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

/** Cases of one import. */
const IMPORTED = 10_000;

/** The first cases have a tag for each number of trials. */
async function importCases(server, { growth, ...counts }) {
  const sizes = [...new Set([...Object.values(counts), ...growth])];
  const total = Math.max(...sizes);
  for (let from = 0; from < total; from += IMPORTED) {
    const lines = Array.from({ length: Math.min(IMPORTED, total - from) }, (_, index) => {
      const number = from + index;
      const tags = sizes.filter((count) => number < count).map((count) => `first-${count}`);
      return JSON.stringify({ name: `case ${number}`, tags, initial_message: `Where is order ${number}?` });
    });
    await post(`${server.url}/test-cases/import`, `${lines.join('\n')}\n`, 'application/jsonl');
  }
}

const started = (server, { trials, target, workers: count }) =>
  post(
    `${server.url}/runs`,
    JSON.stringify({
      select: { tag_any: [`first-${trials}`] },
      targets: [target],
      concurrency: count * SLOTS,
    }),
  );

/** Milliseconds from the answer of the server to the end of the run. */
async function timeOf(server, what) {
  const { id } = await started(server, what);
  const startedAt = performance.now();
  const run = await until(server, id, ({ state }) => !['queued', 'running'].includes(state));
  const { passed } = run.totals.counts;
  if (passed !== what.trials) throw new Error(`${passed} of ${what.trials} trials passed`);
  return performance.now() - startedAt;
}

/** A run that is cancelled when its first trial has begun. */
async function beginning(server, trials) {
  const startedAt = performance.now();
  const { id } = await started(server, { trials, target: 'short', workers: WORKERS });
  const answered = performance.now() - startedAt;
  for (let has = false; !has;) {
    const { data } = await get(`${server.url}/runs/${id}/events?limit=20`);
    has = data.some(({ fact }) => fact.type === 'attempt-start');
    if (!has) await pause(20);
  }
  const first = performance.now() - startedAt - answered;
  await post(`${server.url}/runs/${id}/cancel`, '{}');
  await until(server, id, ({ state }) => state === 'stopped');
  return { answered, first };
}

async function until(server, id, isReached) {
  for (;;) {
    const run = await get(`${server.url}/runs/${id}`);
    if (isReached(run)) return run;
    await pause(100);
  }
}

const get = async (url) => answerOf(await fetch(url));

async function post(url, body, type = 'application/json') {
  return await answerOf(await fetch(url, { method: 'POST', headers: { 'content-type': type }, body }));
}

async function answerOf(answer) {
  const said = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${said.slice(0, 500)}`);
  return JSON.parse(said);
}
