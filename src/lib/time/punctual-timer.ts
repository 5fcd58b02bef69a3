/** How late a timer may be before something must have kept the whole process busy, milliseconds. */
const BUSY_MS = 100;

/**
 * A timeout that blames nobody for what kept this process busy, such as the hook of another trial. A timer that fires
 * late has not heard what came in meanwhile: there is as much time again, once, to hear it.
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
