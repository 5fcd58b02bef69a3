import { setTimeout as delay } from 'node:timers/promises';
import { hasProcessTable, livingGroupOf, processIds } from './process-table.ts';
import { settlesWithin } from './settles-within.ts';

/** A process group that gets no signals after it was seen empty, because its number may then be reused. */
export interface ProcessGroup {
  /** Id of the leader, and so of the group. */
  readonly pid: number;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Whether no process is left that a signal could reach; zombies do not count. */
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

/** SIGTERM, `graceMs`, SIGKILL. Resolves when the group is empty, or a while after SIGKILL if it does not end. */
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

/** A container without an init process never collects orphans, so a group of zombies would look alive for ever. */
function hasLivingMember(group: number): boolean {
  return !hasProcessTable || processIds().some((pid) => livingGroupOf(pid) === group);
}

const AFTER_KILL_MS = 2_000;
