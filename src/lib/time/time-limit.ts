import * as z from 'zod';

/** The longest time that a timer can wait, in milliseconds (24.8 days): beyond it, Node's fire at once. */
export const LONGEST_TIME_MS = 2 ** 31 - 1;

export const TOO_LONG_A_TIME = `expected at most ${LONGEST_TIME_MS} milliseconds (24.8 days)`;

/** A time that somebody writes, in whole milliseconds from 1. */
export function timeLimitMs() {
  return z.int().min(1).max(LONGEST_TIME_MS, TOO_LONG_A_TIME);
}

/** The same for values that no schema checks. */
export function isTimeLimit(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= LONGEST_TIME_MS;
}
