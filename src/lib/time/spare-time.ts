/** Milliseconds; a shorter period says little about the load. */
const STRETCH_MS = 50;

/** The result of `performance.eventLoopUtilization`: milliseconds since the start, and the busy share. */
export interface LoopTimes {
  readonly idle: number;
  readonly active: number;
}

/** Whether the event loop was idle for most of the last period of at least 50 ms. */
export function spareTime(
  now: () => number = () => performance.now(),
  loopTimes: () => LoopTimes = () => performance.eventLoopUtilization(),
): () => boolean {
  let since = now();
  let before = loopTimes();
  let hasSpare = false;
  return () => {
    const at = now();
    if (at - since < STRETCH_MS) return hasSpare;
    const times = loopTimes();
    hasSpare = times.idle - before.idle > times.active - before.active;
    [since, before] = [at, times];
    return hasSpare;
  };
}
