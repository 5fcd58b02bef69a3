import { liveProcesses } from '../../src/lib/process/live-processes.ts';

/** Counts what is started from now on and still lives: what other tests of the thread started can end meanwhile. */
export function countStarted(): () => number {
  const before = new Set(liveProcesses().map(({ pid }) => pid));
  return () => liveProcesses().filter(({ pid }) => !before.has(pid)).length;
}
