/** Whether a service that is called repeatedly can be reached at all. */
export interface Reach<Why> {
  /** Reports the end of one call; `why`: the connection error, undefined when it was reached. */
  ended(why: Why | undefined): void;
  /** The reason why no more calls are made; undefined while it may answer. */
  gone(): Why | undefined;
  /** Number of calls that decide, after the first one failed and none was successful; else Infinity. */
  undecided(): number;
}

/** Number of calls that must fail before the first success. */
export const FIRST_ASKS = 3;

/** Gives up when the first calls all failed to connect; a service that answered once is never given up. */
export function openReach<Why>(onGone?: (why: Why) => void): Reach<Why> {
  let failed = 0;
  let hasAnswered = false;
  let first: Why | undefined;
  return {
    ended(why) {
      if (why === undefined) hasAnswered = true;
      if (why === undefined || hasAnswered) return;
      first ??= why;
      failed += 1;
      if (failed === FIRST_ASKS) onGone?.(first);
    },
    undecided: () => (hasAnswered || failed === 0 || failed >= FIRST_ASKS ? Infinity : FIRST_ASKS - failed),
    gone: () => (hasAnswered || failed < FIRST_ASKS ? undefined : first),
  };
}
