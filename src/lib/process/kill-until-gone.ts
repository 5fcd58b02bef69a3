import { setTimeout as delay } from 'node:timers/promises';
import { kill } from './kill.ts';
import { livingGroupOf } from './process-table.ts';

/** The processes found in one look at the process table, and whether some may have been missed. */
export interface Found {
  readonly pids: readonly number[];
  readonly isUnsure: boolean;
}

/** Kills processes until no more are found and all are dead, or for a second; resolves with their number. */
export async function killUntilGone(find: () => Promise<Found>): Promise<number> {
  const killed = new Set<number>();
  const deadlineMs = performance.now() + LONGEST_MS;
  for (let looks = 1; ; looks++) {
    const { pids, isUnsure } = await find();
    for (const pid of pids) kill(pid, killed);
    const isClean = pids.length === 0 && ![...killed].some(isDying);
    if (isClean && !(isUnsure && looks < MOST_UNSURE_LOOKS)) return killed.size;
    if (looks >= FEWEST_LOOKS && performance.now() > deadlineMs) return killed.size;
    await delay(RESCAN_MS);
  }
}

/** A dying process loses its environment before its files. */
function isDying(pid: number): boolean {
  return livingGroupOf(pid) !== undefined;
}

const LONGEST_MS = 1_000;
const RESCAN_MS = 5;

/** For a machine that is so busy that one look takes longer than the limit. */
const FEWEST_LOOKS = 5;

/** Changing a program takes far less time than this many looks; a process that still looks so is permanent. */
export const MOST_UNSURE_LOOKS = 40;
