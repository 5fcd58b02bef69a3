import { hostname } from 'node:os';

import type { Store } from '../../core/store.ts';
import type { LeftWorker, TrialQueue, WorkerDesk } from '../../core/trial-queue.ts';
import { given } from '../../lib/given.ts';
import { ownPidSpace } from '../../lib/process/pid-space.ts';
import { clearLeftovers, ownLeftovers } from '../project/leftovers.ts';

/** Ends the processes and removes the temporary folders that killed workers left on this machine. `pidSpace`: of this process. */
export async function clearLeft(
  { place }: Pick<Store, 'place'>,
  queue: Pick<TrialQueue, 'left' | 'forgetLeft'>,
  pidSpace: string | undefined,
): Promise<void> {
  for (const worker of await queue.left(hostname())) {
    if (!isGone(worker, pidSpace)) continue;
    // One of another account is left to that account.
    if (await clearLeftovers({ directory: place, id: worker.id }, worker.leftovers))
      await queue.forgetLeft(worker.id);
  }
}

/** Tells what to clear if this worker is killed. `workspaceRoot`: where a run has its workspaces. */
export async function tellLeftovers(
  { place }: Pick<Store, 'place'>,
  desk: WorkerDesk,
  workspaceRoot?: string,
): Promise<void> {
  const own = ownLeftovers({ directory: place, id: desk.id }, workspaceRoot);
  await desk.keepLeftovers({ ...own, ...given({ pidSpace: ownPidSpace() }) });
}

/** Containers may have the same host name, and the same process ids for different processes. */
function isGone({ pid, isAlive, leftovers }: LeftWorker, own: string | undefined): boolean {
  const { pidSpace } = leftovers;
  // The id of this process belonged to another one before.
  const isFree = pid === process.pid || !isRunning(pid);
  if (pidSpace === undefined) return isFree && !isAlive;
  return pidSpace === own ? isFree : !isAlive;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
