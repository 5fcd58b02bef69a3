import { USUAL_SERVER_LIMITS, type ServerLimits } from '../../core/server-limits.ts';
import { rateLimit, type RateLimitOptions } from '../../lib/time/rate-limit.ts';

const MINUTE_MS = 60_000;

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
  limits: Pick<
    ServerLimits,
    'requestsPerMinute' | 'runStartsPerMinute' | 'failedSignInsPerMinute'
  > = USUAL_SERVER_LIMITS,
): AccessLimits {
  const aMinute = (most: number): RateLimitOptions => ({ most, windowMs: MINUTE_MS });
  const requests = rateLimit(aMinute(limits.requestsPerMinute));
  const runStarts = rateLimit(aMinute(limits.runStartsPerMinute));
  const signIns = rateLimit(aMinute(limits.failedSignInsPerMinute));
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
