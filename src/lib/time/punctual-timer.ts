/** A timer that is later than this many milliseconds shows that the whole process was blocked. */
const BUSY_MS = 100;

/**
 * A timeout that does not count time in which this process was blocked, such as by the hook of another trial. A timer
 * that fires late has missed data that arrived before it fired, so it waits once more for the same time.
 */
export function punctualTimer(ms: number, onTime: () => void): { stop(): void } {
  const due = performance.now() + ms;
  let handle = setTimeout(() => {
    const lateMs = performance.now() - due;
    if (lateMs < BUSY_MS) return onTime();
    handle = setTimeout(onTime, Math.min(lateMs, ms));
  }, ms);
  return { stop: () => clearTimeout(handle) };
}
