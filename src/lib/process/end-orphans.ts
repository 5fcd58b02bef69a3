import { setTimeout as delay } from 'node:timers/promises';
import { kill } from './kill.ts';
import { findMarked, type MarkedBy } from './marked-processes.ts';
import { executableOf, hasProcessTable, livingGroupOf, parentOf } from './process-table.ts';

/** What the environment of a process has when it belongs to what is gone. */
export type OrphanMark = Pick<MarkedBy, 'text' | 'isBeginning'>;

/**
 * Kills what a process of ours that is gone left running: all that carry one of the marks in their environment and were
 * not started by a living program of ours. Resolves with how many there were, when they are dead or after a second.
 * Does nothing where the system shows no process table.
 */
export async function endOrphans(marks: readonly OrphanMark[]): Promise<number> {
  if (!hasProcessTable) return 0;
  const killed = new Set<number>();
  const deadlineMs = performance.now() + LONGEST_MS;
  for (let looks = 1; ; looks++) {
    const { orphans, isUnsure } = await findOrphans(marks);
    for (const pid of orphans) kill(pid, killed);
    const isClean = orphans.length === 0 && ![...killed].some((pid) => livingGroupOf(pid) !== undefined);
    if (isClean && !(isUnsure && looks < MOST_UNSURE_LOOKS)) return killed.size;
    if (looks >= FEWEST_LOOKS && performance.now() > deadlineMs) return killed.size;
    await delay(RESCAN_MS);
  }
}

async function findOrphans(
  marks: readonly OrphanMark[],
): Promise<{ orphans: readonly number[]; isUnsure: boolean }> {
  const { found, isUnsure } = await findMarked(
    marks.map((mark) => ({ ...mark, pid: process.pid, startedAtMs: -Infinity })),
  );
  const marked = new Set([...found.values()].flat());
  const ours = executableOf(process.pid);
  const orphans = [...marked].filter((pid) => {
    const starter = starterOf(pid, marked);
    return isAdopter(starter) || executableOf(starter) !== ours;
  });
  return { orphans, isUnsure };
}

/** The first process of a system takes in what the dead left, and may be a program like ours in a container. */
function isAdopter(pid: number): boolean {
  return pid === 1 && process.pid !== 1;
}

/** The nearest ancestor that does not carry the entry itself. */
function starterOf(pid: number, marked: ReadonlySet<number>): number {
  let starter = parentOf(pid);
  while (marked.has(starter)) starter = parentOf(starter);
  return starter;
}

const LONGEST_MS = 1_000;
const RESCAN_MS = 5;
const FEWEST_LOOKS = 5;
const MOST_UNSURE_LOOKS = 40;
