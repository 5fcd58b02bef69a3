import type { ListedWorker } from '../core/trial-queue.ts';
import { stripControls } from '../lib/text/terminal-text.ts';
import { plural } from '../lib/text/plural.ts';
import { openSharedStore } from './database.ts';
import { noWorkers } from './running/no-workers.ts';
import type { Surroundings } from './surroundings.ts';

/** The workers of the last day, as text and as JSON. Throws `no-workers` without a PostgreSQL server. */
export async function listWorkers(
  surroundings: Surroundings,
): Promise<{ readonly text: string; readonly json: string }> {
  const store = await openSharedStore(surroundings);
  try {
    if (store.queue === undefined) throw noWorkers();
    const workers = await store.queue.workers();
    const text =
      workers.length === 0 ? 'No worker was running in the last 24 hours.\n' : workers.map(textOf).join('');
    return { text, json: `${JSON.stringify(workers)}\n` };
  } finally {
    await store.close();
  }
}

function textOf(worker: ListedWorker): string {
  const { name, host, pid, version, slots, startedAt, isAlive, seenAt, trials, refusals } = worker;
  const state = isAlive ? `running since ${startedAt}` : `last seen ${seenAt}`;
  const lines = [
    `${name}  ${state}, process ${pid} on ${host}, assay ${version}, ${plural(trials.length, 'trial')} of ${slots} at once`,
    ...trials.map(({ run, trial, since }) => `  runs ${trial} of ${run} since ${since}`),
    ...refusals.map(({ run, reason }) => `  takes no trials of ${run}: ${reason}`),
  ];
  return `${lines.map(stripControls).join('\n')}\n`;
}
