import { setTimeout as delay } from 'node:timers/promises';
import { hasProcessTable, livingGroupOf, processIds } from './process-table.ts';
import { settlesWithin } from './settles-within.ts';

/** A process group that is never signalled again once it was seen empty, for its number may then belong to others. */
export interface ProcessGroup {
  /** Of the leader, and so of the group. */
  readonly pid: number;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Whether nobody is left whom a signal could reach; the dead that nobody has collected do not count. */
  readonly isEmpty: () => boolean;
}

export function processGroup(pid: number): ProcessGroup {
  let isGone = false;
  const send = (signal: NodeJS.Signals | 0): void => {
    if (isGone) return;
    try {
      process.kill(-pid, signal);
    } catch {
      isGone = true;
    }
  };
  return {
    pid,
    signal: send,
    isEmpty: () => {
      send(0);
      isGone ||= !hasLivingMember(pid);
      return isGone;
    },
  };
}

/** SIGTERM, `graceMs`, SIGKILL; resolves when the group is empty, or a while after SIGKILL if the system cannot end it. */
export async function endGroup(
  group: ProcessGroup,
  leaderExit: Promise<unknown>,
  graceMs: number,
): Promise<void> {
  group.signal('SIGTERM');
  if (await empties(group, leaderExit, graceMs)) return;
  group.signal('SIGKILL');
  await empties(group, leaderExit, AFTER_KILL_MS);
}

async function empties(
  group: ProcessGroup,
  leaderExit: Promise<unknown>,
  patienceMs: number,
): Promise<boolean> {
  const deadlineMs = performance.now() + patienceMs;
  if (!(await settlesWithin(leaderExit, patienceMs))) return false;
  for (let pauseMs = 1; !group.isEmpty(); pauseMs = Math.min(2 * pauseMs, 50)) {
    if (performance.now() >= deadlineMs) return false;
    await delay(pauseMs);
  }
  return true;
}

/** A container without an init never collects its orphans, so a group of corpses would look alive forever. */
function hasLivingMember(group: number): boolean {
  return !hasProcessTable || processIds().some((pid) => livingGroupOf(pid) === group);
}

const AFTER_KILL_MS = 2_000;
