import * as z from 'zod';

/** The longest possible timer in milliseconds (24.8 days): Node fires longer ones at once. */
export const LONGEST_TIME_MS = 2 ** 31 - 1;

export const TOO_LONG_A_TIME = `expected at most ${LONGEST_TIME_MS} milliseconds (24.8 days)`;

/** A written time in whole milliseconds, from 1. */
export function timeLimitMs() {
  return z.int().min(1).max(LONGEST_TIME_MS, TOO_LONG_A_TIME);
}

/** The same for values without a schema. */
export function isTimeLimit(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= LONGEST_TIME_MS;
}
