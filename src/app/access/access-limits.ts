import { rateLimit, type RateLimitOptions } from '../../lib/time/rate-limit.ts';

const MINUTE_MS = 60_000;

/** So many a minute; of an account, failed sign-ins of an address. */
export const USUAL_LIMITS = { requests: 600, runStarts: 30, failedSignIns: 10 } as const;

/** Who asks too much; all times are milliseconds of one clock. Each answer is how long to wait, 0: not at all. */
export interface AccessLimits {
  /** Counts a request of an account. */
  request(accountId: string, now: number): number;
  /** Counts the start of a run. */
  runStart(accountId: string, now: number): number;
  /** Whether an address may try to sign in. */
  signIn(address: string, now: number): number;
  /** Counts a sign-in that failed. */
  signInFailed(address: string, now: number): void;
}

export function openAccessLimits(
  limits: Readonly<Record<keyof typeof USUAL_LIMITS, number>> = USUAL_LIMITS,
): AccessLimits {
  const aMinute = (most: number): RateLimitOptions => ({ most, windowMs: MINUTE_MS });
  const requests = rateLimit(aMinute(limits.requests));
  const runStarts = rateLimit(aMinute(limits.runStarts));
  const signIns = rateLimit(aMinute(limits.failedSignIns));
  return {
    request: requests.take,
    runStart: runStarts.take,
    signIn: signIns.waitMs,
    signInFailed: signIns.count,
  };
}

/** The `Retry-After` of a wait: whole seconds, at least one. */
export function retryAfterSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}
