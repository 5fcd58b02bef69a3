import { setTimeout as pause } from 'node:timers/promises';

/**
 * Looks again until there is something, and says what was missing when the time is up. Who has waited for long looks
 * less often: to look may cost what is waited for the processor.
 */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = 100_000,
): Promise<T> {
  const start = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    const waitedMs = performance.now() - start;
    if (waitedMs > deadlineMs) throw new Error(`${what}: not within ${deadlineMs} ms`);
    await pause(Math.min(100, 10 + waitedMs / 20));
  }
}
