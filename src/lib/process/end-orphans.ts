import { setTimeout as delay } from 'node:timers/promises';
import { findMarked } from './marked-processes.ts';
import { executableOf, hasProcessTable, livingGroupOf, parentOf } from './process-table.ts';

/**
 * Kills what a process of ours that is gone left running: whoever carries the entry (`NAME=value`) in its environment
 * and was not started by a living program of ours. Resolves with how many there were, when they are dead or after a
 * second. Does nothing where the system shows no process table.
 */
export async function endOrphans(entry: string): Promise<number> {
  if (!hasProcessTable) return 0;
  const killed = new Set<number>();
  const deadlineMs = performance.now() + LONGEST_MS;
  for (let looks = 1; ; looks++) {
    const { orphans, isUnsure } = await findOrphans(entry);
    for (const pid of orphans) kill(pid, killed);
    const isClean = orphans.length === 0 && ![...killed].some((pid) => livingGroupOf(pid) !== undefined);
    if (isClean && !(isUnsure && looks < MOST_UNSURE_LOOKS)) return killed.size;
    if (looks >= FEWEST_LOOKS && performance.now() > deadlineMs) return killed.size;
    await delay(RESCAN_MS);
  }
}

async function findOrphans(entry: string): Promise<{ orphans: readonly number[]; isUnsure: boolean }> {
  const { found, isUnsure } = await findMarked([{ text: entry, pid: process.pid, startedAtMs: -Infinity }]);
  const marked = new Set(found.get(entry));
  const ours = executableOf(process.pid);
  const orphans = [...marked].filter((pid) => executableOf(starterOf(pid, marked)) !== ours);
  return { orphans, isUnsure };
}

/** The nearest ancestor that does not carry the entry itself. */
function starterOf(pid: number, marked: ReadonlySet<number>): number {
  let starter = parentOf(pid);
  while (marked.has(starter)) starter = parentOf(starter);
  return starter;
}

function kill(pid: number, killed: Set<number>): void {
  killed.add(pid);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It died in the meantime, or belongs to somebody else.
  }
}

const LONGEST_MS = 1_000;
const RESCAN_MS = 5;
const FEWEST_LOOKS = 5;
const MOST_UNSURE_LOOKS = 40;
