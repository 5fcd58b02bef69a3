/** Whether something that is asked again and again can be reached at all. */
export interface Reach<Why> {
  /** One ask is over; `why` it did not get through, undefined when it did. */
  ended(why: Why | undefined): void;
  /** Why nothing more is asked of it; undefined as long as it may answer. */
  gone(): Why | undefined;
  /** How many asks decide it, once the first one failed and none got through; else Infinity. */
  undecided(): number;
}

/** So many asks must fail before the first one gets through. */
export const FIRST_ASKS = 3;

/** Given up after its first asks all failed to get through; what answered once is never given up. */
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
