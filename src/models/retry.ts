import type { Failure } from './failure.ts';

/** How often and after which waits a request is sent again. */
export interface RetryPolicy {
  /** After overload responses: 408, 429, 5xx. */
  readonly refusals: number;
  /** After a connection that failed or was lost. */
  readonly connections: number;
  readonly firstWaitMs: number;
  /** A longer wait requested by the provider is left to the caller. */
  readonly longestWaitMs: number;
}

export const RETRY_POLICY: RetryPolicy = {
  refusals: 4,
  connections: 2,
  firstWaitMs: 500,
  longestWaitMs: 60_000,
};

/** Milliseconds to wait before the next attempt; undefined when there is no further one. */
export function waitBeforeRetry(
  failure: Failure,
  tries: number,
  { policy, random }: { readonly policy: RetryPolicy; readonly random: () => number },
): number | undefined {
  const allowed = failure.kind === 'http-error' ? policy.refusals : policy.connections;
  if (!failure.isTransient || tries > allowed) return undefined;
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined) return retryAfterMs > policy.longestWaitMs ? undefined : retryAfterMs;
  const doubled = Math.min(policy.firstWaitMs * 2 ** (tries - 1), policy.longestWaitMs);
  return Math.round(doubled * (0.5 + random() / 2));
}
