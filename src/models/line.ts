import { adaptiveLimit } from './adaptive-limit.ts';
import type { Clock } from '../lib/time/clock.ts';
import { rateWindow, type RateLimits } from './rate-window.ts';

/** The line in front of one key of a provider: how many may be asked at once, and when the next one may start. */
export interface Line {
  /** A ticket when a request of about so many tokens may start now, and nobody waits. */
  enterAtOnce(tokens: number): Ticket | undefined;
  /** Resolves when a request of about so many tokens may start. */
  enter(tokens: number, signal: AbortSignal): Promise<Ticket>;
  /** Whether tokens decide when a request may start. */
  readonly countsTokens: boolean;
  /** Requests that may be under way at once. */
  limit(): number;
}

/** One request under way; it must leave exactly once. */
export interface Ticket {
  leave(outcome: Outcome): void;
}

export interface Outcome {
  readonly isThrottled: boolean;
  /** What it really took, where that is known. */
  readonly tokens?: number | undefined;
  /** So long nobody is to start. */
  readonly holdMs?: number | undefined;
}

interface Waiting {
  readonly tokens: number;
  start(): void;
}

export function openLine(clock: Clock, rates: RateLimits): Line {
  const window = rateWindow(rates);
  const limit = adaptiveLimit();
  const waiting: Waiting[] = [];
  let heldUntil = Number.NEGATIVE_INFINITY;
  let callOff: (() => void) | undefined;

  const waitMsFor = (tokens: number): number => {
    const now = clock.now();
    return Math.max(heldUntil - now, window.waitMs(now, tokens));
  };

  const move = (): void => {
    callOff?.();
    callOff = undefined;
    for (let next = waiting[0]; next !== undefined && limit.hasRoom(); next = waiting[0]) {
      const waitMs = waitMsFor(next.tokens);
      if (waitMs > 0) {
        callOff = clock.after(waitMs, move);
        return;
      }
      waiting.shift();
      next.start();
    }
  };

  const ticketFor = (tokens: number): Ticket => {
    const counted = window.count(clock.now(), tokens);
    const end = limit.start();
    return {
      leave(outcome) {
        end(outcome.isThrottled);
        heldUntil = Math.max(heldUntil, clock.now() + (outcome.holdMs ?? 0));
        counted.tokens = outcome.tokens ?? counted.tokens;
        move();
      },
    };
  };

  const enter = (tokens: number, signal: AbortSignal): Promise<Ticket> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const entry: Waiting = {
        tokens,
        start() {
          signal.removeEventListener('abort', giveUp);
          resolve(ticketFor(tokens));
        },
      };
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(entry), 1);
        move();
        reject(signal.reason);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.push(entry);
      move();
    });

  const enterAtOnce = (tokens: number): Ticket | undefined =>
    waiting.length === 0 && limit.hasRoom() && waitMsFor(tokens) <= 0 ? ticketFor(tokens) : undefined;

  return { enterAtOnce, enter, countsTokens: rates.tokensPerMinute !== undefined, limit: limit.value };
}
