import { adaptiveLimit } from './adaptive-limit.ts';
import type { Clock } from '../lib/time/clock.ts';
import { openHold } from './hold.ts';
import { rateWindow, type RateLimits } from './rate-window.ts';
import { FIRST_HEARD_MS, openOthers, type SharedKey } from './shared-key.ts';

/** The queue in front of one key of a provider: limits concurrent requests and the start of the next one. */
export interface Line {
  /** A ticket when a request of about this many tokens may start now and no other request waits. */
  enterAtOnce(tokens: number): Ticket | undefined;
  /** Resolves when a request of about this many tokens may start. */
  enter(tokens: number, signal: AbortSignal): Promise<Ticket>;
  /** Whether token limits decide when a request may start. */
  readonly countsTokens: boolean;
  /** Maximum number of concurrent requests. */
  limit(): number;
}

/** One running request; it must leave exactly once. */
export interface Ticket {
  leave(outcome: Outcome): void;
}

export interface Outcome {
  readonly isThrottled: boolean;
  /** The actual number of tokens, if known. */
  readonly tokens?: number | undefined;
  /** Milliseconds during which no request may start. */
  readonly holdMs?: number | undefined;
}

interface Waiting {
  readonly tokens: number;
  start(): void;
}

export function openLine(clock: Clock, rates: RateLimits, shared?: SharedKey): Line {
  const window = rateWindow(rates);
  const limit = adaptiveLimit();
  const waiting: Waiting[] = [];
  const hold = openHold(clock, shared && FIRST_HEARD_MS);
  let callOff: (() => void) | undefined;

  const waitMsFor = (tokens: number): number => Math.max(hold.waitMs(), window.waitMs(clock.now(), tokens));

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

  const others = shared && openOthers(shared, { cut: limit.cut, hold, move });

  const ticketFor = (tokens: number): Ticket => {
    const counted = window.count(clock.now(), tokens);
    const end = limit.start();
    const cuts = others?.cuts();
    return {
      leave({ isThrottled, holdMs = 0, ...outcome }) {
        const isCut = end(isThrottled);
        hold.hold(holdMs);
        if (isThrottled) others?.tell({ isCut, cuts, holdMs });
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
