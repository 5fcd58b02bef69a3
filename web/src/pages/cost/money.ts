import type { RunCost } from '../../../../src/api/resources/cost.ts';
import { costText } from '../../../../src/reading/phrases.ts';

type Money = Pick<RunCost['cases'][number], 'known_usd' | 'known_trials' | 'unknown_trials'>;

/** `$0.02`, `at least $0.02, 3 unknown`, or `-` if nothing was spent: unknown money is never $0. */
export function moneyText({
  known_usd: knownUsd,
  known_trials: known,
  unknown_trials: unknown,
}: Money): string {
  return costText({ knownUsd, known: known === 0 && knownUsd > 0 ? 1 : known, unknown });
}
