const WINDOW_MS = 60_000;

/** Limits per minute; absent: unlimited. */
export interface RateLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

/** A counted request; its tokens are an estimate until they are known. */
export interface Counted {
  tokens: number;
}

/** Counts requests and tokens over a sliding minute. */
export interface RateWindow {
  /** Milliseconds until a request of this many tokens may start; 0: now. */
  waitMs(now: number, tokens: number): number;
  count(now: number, tokens: number): Counted;
}

export function rateWindow({ requestsPerMinute, tokensPerMinute }: RateLimits): RateWindow {
  const counted: (Counted & { readonly at: number })[] = [];
  const forget = (now: number): void => {
    const kept = counted.findIndex(({ at }) => at + WINDOW_MS > now);
    counted.splice(0, kept < 0 ? counted.length : kept);
  };
  const requestWait = (now: number): number => {
    if (requestsPerMinute === undefined) return 0;
    const allowed = Math.max(1, Math.floor(requestsPerMinute));
    const blocking = counted[counted.length - allowed];
    return blocking === undefined ? 0 : blocking.at + WINDOW_MS - now;
  };
  const tokenWait = (now: number, tokens: number): number => {
    if (tokensPerMinute === undefined) return 0;
    let room = tokensPerMinute - tokens - counted.reduce((sum, entry) => sum + entry.tokens, 0);
    // A single request may exceed the limit, because it could never start otherwise.
    for (const entry of counted) {
      if (room >= 0) return 0;
      room += entry.tokens;
      if (room >= 0 || entry === counted.at(-1)) return entry.at + WINDOW_MS - now;
    }
    return 0;
  };
  return {
    waitMs(now, tokens) {
      forget(now);
      return Math.max(requestWait(now), tokenWait(now, tokens));
    },
    count(now, tokens) {
      const entry = { at: now, tokens };
      if (requestsPerMinute !== undefined || tokensPerMinute !== undefined) counted.push(entry);
      return entry;
    },
  };
}
