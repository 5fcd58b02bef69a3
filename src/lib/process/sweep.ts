import { setTimeout as delay } from 'node:timers/promises';
import { kill } from './kill.ts';
import { findMarked, findMarkedSync, type MarkedBy } from './marked-processes.ts';
import { livingGroupOf } from './process-table.ts';

/**
 * Kills every process that carries the marker and resolves with how many there were,
 * when none is left, or after a second. Sweeps asked for together share one look at the process table.
 */
export async function sweep(marker: MarkedBy): Promise<number> {
  const killed = new Set<number>();
  const deadlineMs = performance.now() + LONGEST_SWEEP_MS;
  for (let looks = 1; ; looks++) {
    const { pids, isUnsure } = await find(marker);
    for (const pid of pids) kill(pid, killed);
    const isClean = pids.length === 0 && ![...killed].some(isDying);
    if (isClean && !(isUnsure && looks < MOST_UNSURE_LOOKS)) return killed.size;
    if (looks >= FEWEST_LOOKS && performance.now() > deadlineMs) return killed.size;
    await delay(RESCAN_MS);
  }
}

/** The same for several markers, in one go and without waiting for the deaths. */
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

/** A dying process loses its environment before its files. */
function isDying(pid: number): boolean {
  return livingGroupOf(pid) !== undefined;
}

interface Found {
  readonly pids: readonly number[];
  readonly isUnsure: boolean;
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

const LONGEST_SWEEP_MS = 1_000;
const RESCAN_MS = 5;

/** Also when the machine is so busy that one look takes longer than a sweep may. */
const FEWEST_LOOKS = 5;

/** A program is changed in far less time than so many looks take; what reads like that for longer does so for good. */
const MOST_UNSURE_LOOKS = 40;
