import { setTimeout as delay } from 'node:timers/promises';
import { kill } from './kill.ts';
import { livingGroupOf } from './process-table.ts';

/** What one look at the process table found, and whether it may have missed anything. */
export interface Found {
  readonly pids: readonly number[];
  readonly isUnsure: boolean;
}

/** Kills what is found until nothing is and the killed are dead, or for a second; resolves with how many there were. */
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

/** Also when the machine is so busy that one look takes longer than all may. */
const FEWEST_LOOKS = 5;

/** A program is changed in far less time than so many looks take; what reads like that for longer does so for good. */
export const MOST_UNSURE_LOOKS = 40;
