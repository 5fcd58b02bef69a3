import type { ListedWorker } from '../core/trial-queue.ts';
import { stripControls } from '../lib/text/terminal-text.ts';
import { plural } from '../lib/text/plural.ts';
import { openSharedStore } from './database.ts';
import { noWorkers } from './running/no-workers.ts';
import { serverApi } from './served/server-api.ts';
import { servedWorkers } from './served/served-workers.ts';
import { queuePlace } from './store-place.ts';
import type { Surroundings } from './surroundings.ts';

/** The workers of the last day, as text and as JSON. Throws `no-workers` without a PostgreSQL server and without a server of assay. */
export async function listWorkers(
  surroundings: Surroundings,
): Promise<{ readonly text: string; readonly json: string }> {
  const workers = await knownWorkers(surroundings);
  const text =
    workers.length === 0 ? 'No worker was running in the last 24 hours.\n' : workers.map(textOf).join('');
  return { text, json: `${JSON.stringify(workers)}\n` };
}

async function knownWorkers(surroundings: Surroundings): Promise<readonly ListedWorker[]> {
  const place = await queuePlace(surroundings);
  if ('server' in place) return await servedWorkers(serverApi(place.server));
  const store = await openSharedStore(surroundings);
  try {
    if (store.queue === undefined) throw noWorkers();
    return await store.queue.workers();
  } finally {
    await store.close();
  }
}

function textOf(worker: ListedWorker): string {
  const { name, host, pid, version, slots, startedAt, isAlive, isStopping, seenAt, trials, refusals } =
    worker;
  const doing = isStopping ? 'stopping, running since' : 'running since';
  const state = isAlive ? `${doing} ${startedAt}` : `last seen ${seenAt}`;
  const lines = [
    `${name}  ${state}, process ${pid} on ${host}, assay ${version}, ${plural(trials.length, 'trial')} of ${slots} at once`,
    ...trials.map(({ run, trial, since }) => `  runs ${trial} of ${run} since ${since}`),
    ...refusals.map(({ run, reason }) => `  takes no trials of ${run}: ${reason}`),
  ];
  return `${lines.map(stripControls).join('\n')}\n`;
}
