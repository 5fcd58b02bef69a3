import { descendantIds, idsInUse, idsToTry, newestId } from './descendant-ids.ts';
import { killUntilGone } from './kill-until-gone.ts';
import { liveProcesses } from './live-processes.ts';
import {
  hasProcessTable,
  hasTerminal,
  livingGroupOf,
  ownerOf,
  parentOf,
  pathsOf,
  startOf,
  ticksNow,
} from './process-table.ts';

/** When a program began, in the units of process tables. */
export interface Moment {
  /** The last assigned id. */
  readonly pid: number;
  readonly ticks: number;
  /** On the clock of `performance.now()`. */
  readonly startedAtMs: number;
}

export function thisMoment(): Moment {
  return { pid: newestId() ?? 1, ticks: ticksNow(), startedAtMs: performance.now() };
}

/**
 * Kills processes that programs of ours have started since a moment and that use a directory: as working directory, for
 * their program or for an open file. Spared are programs that must still run, processes of other accounts, and
 * processes that a person may have started: these have a terminal or another parent. Resolves with their number when
 * they are dead, or after a second. Does nothing when the system has no process table.
 */
export async function endProcessesBelow(directory: string, since: Moment): Promise<number> {
  if (!hasProcessTable) return 0;
  return await killUntilGone(async () => ({ pids: escaped(directory, since), isUnsure: false }));
}

function escaped(directory: string, since: Moment): readonly number[] {
  const range = descendantIds([since]);
  const isBelow = (pid: number) => isStray(pid, since) && worksBelow(pid, directory);
  // A thread has an id like a process, and a signal to it would end the process; the list has no threads.
  const isWorthListing = idsToTry(range)?.some(isBelow) !== false;
  const below = isWorthListing ? idsInUse(range).filter((pid) => pid !== process.pid && isBelow(pid)) : [];
  if (below.length === 0) return below;
  const ours = new Set(ancestorsOf(process.pid));
  const live = new Set(liveProcesses().map(({ pid }) => pid));
  return below.filter((pid) => isLeftBehind(pid, { since, ours, live }));
}

function isStray(pid: number, since: Moment): boolean {
  return (
    ownerOf(pid) === process.geteuid?.() &&
    startOf(pid) >= since.ticks &&
    livingGroupOf(pid) !== undefined &&
    !hasTerminal(pid)
  );
}

function worksBelow(pid: number, directory: string): boolean {
  for (const path of pathsOf(pid)) {
    if (path === directory || path.startsWith(`${directory}/`)) return true;
  }
  return false;
}

interface Surroundings {
  readonly since: Moment;
  /** This process and its ancestors. */
  readonly ours: ReadonlySet<number>;
  /** Leaders of groups that must still run. */
  readonly live: ReadonlySet<number>;
}

/** An orphan belongs to an ancestor of this process; a child of an editor belongs to the editor. */
function isLeftBehind(pid: number, { since, ours, live }: Surroundings): boolean {
  for (const ancestor of ancestorsOf(pid)) {
    if (live.has(ancestor)) return false;
    if (ours.has(ancestor)) return true;
    if (startOf(ancestor) < since.ticks) return false;
  }
  return true;
}

/** From the process itself up to the init process. */
function* ancestorsOf(pid: number): Generator<number> {
  for (let at = pid; at > 0; at = parentOf(at)) yield at;
}
