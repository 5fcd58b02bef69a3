export interface RateLimitOptions {
  /** So many in any window of time. */
  readonly most: number;
  readonly windowMs: number;
}

/** Counts what somebody does; times are milliseconds of one clock that never goes back. */
export interface RateLimit {
  /** How long until one more is allowed; 0: now. Counts nothing. */
  waitMs(key: string, now: number): number;
  count(key: string, now: number): void;
  /** Counts one where it is allowed; else how long to wait. */
  take(key: string, now: number): number;
}

export function rateLimit({ most, windowMs }: RateLimitOptions): RateLimit {
  /** Times of the last few of each key, oldest first. */
  const counted = new Map<string, number[]>();
  let nextPurge = Number.NEGATIVE_INFINITY;

  const timesOf = (key: string, now: number): number[] => {
    const times = (counted.get(key) ?? []).filter((time) => time > now - windowMs);
    return times.slice(-most);
  };
  const waitMs = (key: string, now: number): number => {
    const times = timesOf(key, now);
    return times.length < most ? 0 : (times[0] ?? now) + windowMs - now;
  };
  const count = (key: string, now: number): void => {
    if (now >= nextPurge) {
      for (const [each, times] of counted) if ((times.at(-1) ?? 0) <= now - windowMs) counted.delete(each);
      nextPurge = now + windowMs;
    }
    counted.set(key, [...timesOf(key, now), now].slice(-most));
  };
  const take = (key: string, now: number): number => {
    const wait = waitMs(key, now);
    if (wait === 0) count(key, now);
    return wait;
  };
  return { waitMs, count, take };
}
