import { allPages } from '../../api/all-pages.ts';
import type { WorkerResource } from '../../api/resources/worker.ts';
import type { ListedWorker } from '../../core/trial-queue.ts';
import type { ServerApi } from './server-api.ts';

/** The workers that a server knows of, the newest first. */
export async function servedWorkers(api: Pick<ServerApi, 'get'>): Promise<readonly ListedWorker[]> {
  const workers = await allPages((query) =>
    api.get((get) => get<'listWorkers'>('/workers', { path: {}, query })),
  );
  return workers.map(listedWorker);
}

function listedWorker(worker: WorkerResource): ListedWorker {
  const { id, name, host, pid, version, slots, trials, refusals } = worker;
  return {
    id,
    name,
    host,
    pid,
    version,
    slots,
    startedAt: worker.started_at,
    isAlive: worker.alive,
    isStopping: worker.stopping,
    seenAt: worker.seen_at,
    trials: trials.map(({ run_id: run, trial, since }) => ({ run, trial, since })),
    refusals: refusals.map(({ run_id: run, reason }) => ({ run, reason })),
  };
}
