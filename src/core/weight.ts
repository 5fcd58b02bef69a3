import * as z from 'zod';

/** Above it, sums of weights would lose what small ones count, and in the end be no number. */
const HEAVIEST = 1_000_000_000;

/** What something counts in a weighted mean. */
export function weightKey() {
  return z.number().min(0).max(HEAVIEST, `expected a weight of at most ${HEAVIEST}`);
}
