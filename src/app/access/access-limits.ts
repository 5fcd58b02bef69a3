import { rateLimit, type RateLimitOptions } from '../../lib/time/rate-limit.ts';

const MINUTE_MS = 60_000;

/** Limits per minute: requests and run starts per account, failed sign-ins per address. */
export const USUAL_LIMITS = { requests: 600, runStarts: 30, failedSignIns: 10 } as const;

/** Rate limits. All times are milliseconds of one clock. Each method returns how long to wait; 0: not at all. */
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
