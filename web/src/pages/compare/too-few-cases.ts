import type { TargetComparison } from '../../../../src/core/run-comparison.ts';
import { fewestFlips } from '../../../../src/lib/fewest-flips.ts';

/** Whether not even a change of all cases would show. */
export function hasTooFewCases({ verdict, result }: Pick<TargetComparison, 'verdict' | 'result'>): boolean {
  return verdict === 'inconclusive' && result !== null && result.pairs < fewestFlips(result.level);
}
