/** Milliseconds; a shorter stretch says more about its moment than about the load. */
const STRETCH_MS = 50;

/** What `performance.eventLoopUtilization` gives: milliseconds since the start, and the busy share of them. */
export interface LoopTimes {
  readonly idle: number;
  readonly active: number;
}

/** Says whether the event loop waited for most of the last stretch of at least 50 ms. */
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
