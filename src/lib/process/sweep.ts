import { kill } from './kill.ts';
import { type Found, killUntilGone, MOST_UNSURE_LOOKS } from './kill-until-gone.ts';
import { findMarked, findMarkedSync, type MarkedBy } from './marked-processes.ts';

/**
 * Kills every process with the marker, and resolves with their number when none is left, or after a second. Concurrent
 * sweeps share one look at the process table.
 */
export async function sweep(marker: MarkedBy): Promise<number> {
  return await killUntilGone(() => find(marker));
}

/** The same for several markers, synchronously and without waiting for their end. */
export function sweepNow(markers: readonly MarkedBy[]): void {
  if (markers.length === 0) return;
  const killed = new Set<number>();
  for (let looks = 1; ; looks++) {
    const before = killed.size;
    const { found, isUnsure } = findMarkedSync(markers);
    for (const pid of [...found.values()].flat()) kill(pid, killed);
    if (killed.size === before && !(isUnsure && looks < MOST_UNSURE_LOOKS)) return;
  }
}

interface Waiting {
  readonly marker: MarkedBy;
  readonly resolve: (found: Found) => void;
}

let waiting: Waiting[] = [];

function find(marker: MarkedBy): Promise<Found> {
  return new Promise((resolve) => {
    if (waiting.push({ marker, resolve }) === 1) setImmediate(() => void findForAll());
  });
}

async function findForAll(): Promise<void> {
  const asked = waiting;
  waiting = [];
  const { found, isUnsure } = await findMarked(asked.map(({ marker }) => marker));
  for (const { marker, resolve } of asked) resolve({ pids: found.get(marker.text) ?? [], isUnsure });
}
