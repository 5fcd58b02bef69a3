import { hostname } from 'node:os';

import type { Store } from '../../core/store.ts';
import type { TrialQueue, WorkerDesk } from '../../core/trial-queue.ts';
import { clearLeftovers, ownLeftovers } from '../project/leftovers.ts';

/** Ends the processes and removes the temporary folders that killed workers left on this machine. */
export async function clearLeft({ place }: Pick<Store, 'place'>, queue: TrialQueue): Promise<void> {
  for (const { id, pid, leftovers } of await queue.left(hostname())) {
    // The id of this process belonged to another one before.
    if (pid !== process.pid && isRunning(pid)) continue;
    await clearLeftovers({ directory: place, id }, leftovers);
    await queue.forgetLeft(id);
  }
}

/** Tells what to clear if this worker is killed. `workspaceRoot`: where a run has its workspaces. */
export async function tellLeftovers(
  { place }: Pick<Store, 'place'>,
  desk: WorkerDesk,
  workspaceRoot?: string,
): Promise<void> {
  await desk.keepLeftovers(ownLeftovers({ directory: place, id: desk.id }, workspaceRoot));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
