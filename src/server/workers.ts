import { z } from 'zod';

import type { WorkerResource } from '../api/resources/worker.ts';
import type { ListedWorker, TrialQueue } from '../core/trial-queue.ts';
import type { Handlers } from './operation.ts';
import { pageBehind } from './pages.ts';

/** Who takes trials. `queue`: absent where no other process can reach the store. */
export function workerHandlers(queue: TrialQueue | undefined): Pick<Handlers, 'listWorkers'> {
  return {
    listWorkers: async ({ query }) => {
      const all = ((await queue?.workers()) ?? []).toSorted(newestFirst);
      const page = await pageBehind<ListedWorker, Place>(query, {
        place: z.object({ startedAt: z.string(), id: z.string() }),
        placeOf: ({ startedAt, id }) => ({ startedAt, id }),
        read: async (limit, after) =>
          all.filter((each) => after === undefined || newestFirst(after, each) < 0).slice(0, limit),
      });
      return { ...page, data: page.data.map(workerResource) };
    },
  };
}

type Place = Pick<ListedWorker, 'startedAt' | 'id'>;

function newestFirst(one: Place, other: Place): number {
  if (one.startedAt !== other.startedAt) return one.startedAt > other.startedAt ? -1 : 1;
  return one.id < other.id ? -1 : Number(one.id > other.id);
}

function workerResource(worker: ListedWorker): WorkerResource {
  const { id, name, host, pid, version, slots, startedAt, seenAt, isAlive, trials, refusals } = worker;
  return {
    id,
    name,
    host,
    pid,
    version,
    slots,
    started_at: startedAt,
    seen_at: seenAt,
    alive: isAlive,
    stopping: worker.isStopping,
    trials: trials.map(({ run, trial, since }) => ({ run_id: run, trial, since })),
    refusals: refusals.map(({ run, reason }) => ({ run_id: run, reason })),
  };
}
