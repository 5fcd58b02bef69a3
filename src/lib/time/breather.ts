import { setImmediate as turn } from 'node:timers/promises';

/**
 * Small synchronous file operations are several times cheaper than asynchronous ones, but block other trials. Called
 * between them, this yields every few milliseconds.
 */
export function breather(): Breathe {
  let since = performance.now();
  return () => {
    if (performance.now() - since < LONGEST_HOLD_MS) return undefined;
    return turn().then(() => {
      since = performance.now();
    });
  };
}

export type Breathe = () => Promise<void> | undefined;

const LONGEST_HOLD_MS = 8;
