import { fewestFlips } from '../../../src/lib/fewest-flips.ts';

/** With fewer cases, p stays above 0.05, divided by the number of targets, even if all of them change. */
export function fewestCases(targets = 1): number {
  return fewestFlips(0.05 / Math.max(1, targets));
}
