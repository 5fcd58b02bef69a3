import { setTimeout as pause } from 'node:timers/promises';

/** Looks again until there is something, and says what was missing when the time is up. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = 100_000,
): Promise<T> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`${what}: not within ${deadlineMs} ms`);
    await pause(10);
  }
}
