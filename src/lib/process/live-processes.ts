import type { MarkedBy } from './marked-processes.ts';
import type { ProcessGroup } from './process-group.ts';
import { sweepNow } from './sweep.ts';

/** A program that runs, or has ended and is not cleaned up yet. */
export interface LiveProcess {
  readonly pid: number;
}

interface Tracked {
  readonly group: ProcessGroup;
  readonly marked: MarkedBy | undefined;
  readonly onKilled: () => void;
}

const live = new Set<Tracked>();

/** Every process group that was started here and is not cleaned up yet. */
export function liveProcesses(): readonly LiveProcess[] {
  return [...live].map(({ group }) => ({ pid: group.pid }));
}

/** Adds what is done after everything is killed, for what other programs run on behalf of this process. */
export function afterKillingAll(act: () => void): void {
  lastActs.add(act);
}

const lastActs = new Set<() => void>();

/** Kills all groups and strays synchronously, for an `exit` handler; their runs settle as `aborted`. */
export function killAllNow(): void {
  for (const { group, onKilled } of live) {
    group.signal('SIGKILL');
    onKilled();
  }
  sweepNow([...live].flatMap(({ marked }) => marked ?? []));
  for (const act of lastActs) act();
}

/** The same, and `runProcess` then starts nothing: every later call settles as `aborted`. */
export function killAllForGood(): void {
  isOver = true;
  killAllNow();
}

/** Whether new processes are refused. */
export function isOverForGood(): boolean {
  return isOver;
}

let isOver = false;

/** Returns a function that removes the registration. */
export function trackLive(tracked: Tracked): () => void {
  live.add(tracked);
  return () => live.delete(tracked);
}
