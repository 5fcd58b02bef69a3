import { setTimeout as delay } from 'node:timers/promises';
import { type FoundByMarker, findMarked, findMarkedSync, type MarkedBy } from './marked-processes.ts';
import { livingGroupOf } from './process-table.ts';

/**
 * Kills every process that carries the marker and resolves with how many there were,
 * when none is left, or after a second. Sweeps asked for together share one look at the process table.
 */
export async function sweep(marker: MarkedBy): Promise<number> {
  const killed = new Set<number>();
  const deadlineMs = performance.now() + LONGEST_SWEEP_MS;
  for (;;) {
    const pids = await find(marker);
    for (const pid of pids) kill(pid, killed);
    const isClean = pids.length === 0 && ![...killed].some(isDying);
    if (isClean || performance.now() > deadlineMs) return killed.size;
    await delay(RESCAN_MS);
  }
}

/** The same for several markers, in one go and without waiting for the deaths. */
export function sweepNow(markers: readonly MarkedBy[]): void {
  if (markers.length === 0) return;
  const killed = new Set<number>();
  for (let before = -1; before < killed.size;) {
    before = killed.size;
    for (const pid of [...findMarkedSync(markers).values()].flat()) kill(pid, killed);
  }
}

/** A dying process loses its environment before its files. */
function isDying(pid: number): boolean {
  return livingGroupOf(pid) !== undefined;
}

interface Waiting {
  readonly marker: MarkedBy;
  readonly resolve: (pids: readonly number[]) => void;
}

let waiting: Waiting[] = [];

function find(marker: MarkedBy): Promise<readonly number[]> {
  return new Promise((resolve) => {
    if (waiting.push({ marker, resolve }) === 1) setImmediate(() => void findForAll());
  });
}

async function findForAll(): Promise<void> {
  const asked = waiting;
  waiting = [];
  const found: FoundByMarker = await findMarked(asked.map(({ marker }) => marker));
  for (const { marker, resolve } of asked) resolve(found.get(marker.text) ?? []);
}

function kill(pid: number, killed: Set<number>): void {
  killed.add(pid);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It died in the meantime, or belongs to somebody else.
  }
}

const LONGEST_SWEEP_MS = 1_000;
const RESCAN_MS = 5;
