import { type Found, killUntilGone } from './kill-until-gone.ts';
import { findMarked, type MarkedBy } from './marked-processes.ts';
import { executableOf, hasProcessTable, parentOf } from './process-table.ts';

/** The environment entry that marks processes of an ended program. */
export type OrphanMark = Pick<MarkedBy, 'text' | 'isBeginning'>;

/**
 * Kills processes that an ended program of ours left running: all with one of the marks in their environment, unless a
 * living program of ours started them. Resolves with their number when they are dead, or after a second. Does nothing
 * when the system has no process table.
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

/** The init process adopts orphans, and may be a program like ours in a container. */
function isAdopter(pid: number): boolean {
  return pid === 1 && process.pid !== 1;
}

/** The nearest ancestor without the mark. */
function starterOf(pid: number, marked: ReadonlySet<number>): number {
  let starter = parentOf(pid);
  while (marked.has(starter)) starter = parentOf(starter);
  return starter;
}
