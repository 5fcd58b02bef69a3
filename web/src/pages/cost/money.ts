import { costText } from '../../../../src/reading/phrases.ts';

interface Money {
  readonly cost_usd: number | null;
  readonly known_usd: number;
  readonly unknown_trials: number;
}

/** `$0.02`, or `at least $0.02, 3 unknown`: unknown money is never $0. */
export function moneyText({ cost_usd: cost, known_usd: known, unknown_trials: unknown }: Money): string {
  if (cost !== null) return costText({ knownUsd: cost, known: 1, unknown: 0 });
  return costText({ knownUsd: known, known: known > 0 ? 1 : 0, unknown: Math.max(1, unknown) });
}
