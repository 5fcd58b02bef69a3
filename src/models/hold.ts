import type { Clock } from '../lib/time/clock.ts';

/** When requests may start again. */
export interface Hold {
  /** Milliseconds until then; not above 0: now. */
  waitMs(): number;
  /** Lets no request start for so long. */
  hold(timeMs: number): void;
  /** Forgets what it held for. */
  letGo(): void;
}

/** `firstMs`: how long no request may start at first. */
export function openHold(clock: Clock, firstMs = 0): Hold {
  let heldUntil = clock.now() + firstMs;
  return {
    waitMs: () => heldUntil - clock.now(),
    hold: (timeMs) => (heldUntil = Math.max(heldUntil, clock.now() + timeMs)),
    letGo: () => (heldUntil = Number.NEGATIVE_INFINITY),
  };
}
