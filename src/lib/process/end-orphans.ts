import { type Found, killUntilGone } from './kill-until-gone.ts';
import { findMarked, type MarkedBy } from './marked-processes.ts';
import { executableOf, hasProcessTable, parentOf } from './process-table.ts';

/** What the environment of a process has when it belongs to what is gone. */
export type OrphanMark = Pick<MarkedBy, 'text' | 'isBeginning'>;

/**
 * Kills what a process of ours that is gone left running: all that carry one of the marks in their environment and were
 * not started by a living program of ours. Resolves with how many there were, when they are dead or after a second.
 * Does nothing where the system shows no process table.
 */
export async function endOrphans(marks: readonly OrphanMark[]): Promise<number> {
  if (!hasProcessTable) return 0;
  return await killUntilGone(() => findOrphans(marks));
}

async function findOrphans(marks: readonly OrphanMark[]): Promise<Found> {
  const { found, isUnsure } = await findMarked(
    marks.map((mark) => ({ ...mark, pid: process.pid, startedAtMs: -Infinity })),
  );
  const marked = new Set([...found.values()].flat());
  const ours = executableOf(process.pid);
  const pids = [...marked].filter((pid) => {
    const starter = starterOf(pid, marked);
    return isAdopter(starter) || executableOf(starter) !== ours;
  });
  return { pids, isUnsure };
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
