import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

/** Parallel trials of each worker. */
export const SLOTS = 8;

/** Cases of one import. */
const IMPORTED = 10_000;

/** The counts of a run are asked for so often. */
const LOOKS_EVERY_MS = 250;

/** Longest time until all workers have trials of a run, and longest time until all of its rows are written. */
const MOST_START_MS = 120_000;

/** Imports as many cases as the largest number says. The first cases have a tag for each number. */
export async function importCases({ url }, counts) {
  const sizes = [...new Set(counts)];
  const total = Math.max(...sizes);
  for (let from = 0; from < total; from += IMPORTED) {
    const lines = Array.from({ length: Math.min(IMPORTED, total - from) }, (_, index) => {
      const number = from + index;
      const tags = sizes.filter((count) => number < count).map((count) => `first-${count}`);
      return JSON.stringify({ name: `case ${number}`, tags, initial_message: `Where is order ${number}?` });
    });
    await post(`${url}/test-cases/import`, `${lines.join('\n')}\n`, 'application/jsonl');
  }
}

/** Starts a run of the first cases. Returns its id and the milliseconds until the server answered. */
export async function startedRun({ url }, { trials, target, workers }) {
  const startedAt = performance.now();
  const body = {
    select: { tag_any: [`first-${trials}`] },
    targets: [target],
    concurrency: workers * SLOTS,
  };
  const { id } = await post(`${url}/runs`, JSON.stringify(body));
  return { id, answeredMs: performance.now() - startedAt };
}

/**
 * Follows a run until it has ended, or for so long. Returns [{ ms, ended }]: how many trials had ended at which time.
 * Throws if a trial has not passed.
 */
export async function followed({ url }, id, { mostMs, isEnough = () => false }) {
  const startedAt = performance.now();
  const seen = [];
  for (;;) {
    const { state, totals } = await get(`${url}/runs/${id}`);
    const { passed, failed, errored } = totals.counts;
    if (failed + errored > 0) throw new Error(`${failed + errored} trials did not pass`);
    seen.push({ ms: performance.now() - startedAt, ended: passed });
    const isOver = !['queued', 'running'].includes(state);
    if (isOver || seen.at(-1).ms > mostMs || isEnough(seen)) return seen;
    await pause(LOOKS_EVERY_MS);
  }
}

/**
 * Milliseconds per trial of a run that has begun: within a window that opens when all workers have trials of it, the
 * work of its start is done, and each slot has ended two more trials. Cancels the run. `database`: its address.
 */
export async function timePerTrial(server, { id, workers, database }, windowMs) {
  await untilAllWork(server, id, workers);
  await untilWritten(database, id);
  await vacuumed(database);
  const endedAtFirst = (seen) => seen[0].ended + 2 * SLOTS * workers;
  const busy = (seen) => seen.filter(({ ended }) => ended >= endedAtFirst(seen));
  const isEnough = (seen) => busy(seen).length > 1 && seen.at(-1).ms - busy(seen)[0].ms >= windowMs;
  const seen = await followed(server, id, { mostMs: 4 * windowMs + 30_000, isEnough });
  await stop(server, id);
  const within = busy(seen);
  if (within.length < 2) throw new Error(`only ${seen.at(-1).ended} trials ended`);
  return perTrial(within[0], within.at(-1));
}

async function untilAllWork({ url }, id, workers) {
  const deadline = performance.now() + MOST_START_MS;
  for (;;) {
    const { data } = await get(`${url}/workers?limit=200`);
    const busy = data.filter(({ alive, trials }) => alive && trials.some(({ run_id: run }) => run === id));
    if (busy.length >= workers) return;
    if (performance.now() > deadline) throw new Error(`only ${busy.length} workers take trials`);
    await pause(LOOKS_EVERY_MS);
  }
}

/** Milliseconds per trial between two moments. */
export function perTrial(first, last) {
  return (last.ms - first.ms) / Math.max(1, last.ended - first.ended);
}

/** Milliseconds until the first attempt has begun. */
export async function untilBegun({ url }, id, mostMs) {
  const startedAt = performance.now();
  for (;;) {
    const { data } = await get(`${url}/runs/${id}/events?limit=200`);
    const ms = performance.now() - startedAt;
    if (data.some(({ fact }) => fact.type === 'attempt-start')) return ms;
    if (ms > mostMs) throw new Error(`no trial began within ${mostMs / 1000} s`);
    await pause(20);
  }
}

/** Waits until no rows of a large run wait to be written. They are written while it goes on. */
export async function untilWritten(databaseUrl, id) {
  const waits = `select 1 from waiting_trials where run_id = $1
    union all select 1 from waiting_copies where run_id = $1 limit 1`;
  const deadline = performance.now() + MOST_START_MS;
  await asking(databaseUrl, async (client) => {
    while ((await client.query(waits, [id])).rows.length > 0) {
      if (performance.now() > deadline) throw new Error('rows of the run still wait to be written');
      await pause(LOOKS_EVERY_MS);
    }
  });
}

/** Does what PostgreSQL would do within a minute after many rows were written. */
function vacuumed(databaseUrl) {
  return asking(databaseUrl, (client) => client.query('vacuum (analyze)'));
}

async function asking(databaseUrl, ask) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await ask(client);
  } finally {
    await client.end();
  }
}

/** Cancels a run that may have ended. */
export async function stop(server, id) {
  await fetch(`${server.url}/runs/${id}/cancel`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  for (let tries = 0; tries < 300; tries += 1) {
    const { state } = await get(`${server.url}/runs/${id}`);
    if (['completed', 'stopped', 'interrupted'].includes(state)) return;
    await pause(100);
  }
  throw new Error(`the run ${id} did not stop`);
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
