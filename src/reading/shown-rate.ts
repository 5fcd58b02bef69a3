import type { TargetView } from './run-view.ts';
import { meanOf, passRate, type PassRate } from './totals.ts';
import type { CaseRates } from './case-rates.ts';

type RatesByTarget = ReadonlyMap<string, Pick<CaseRates, 'eachCaseOnce'>>;

/** The pass rate of a target. If cases have different numbers of repetitions, each case counts once. */
export function shownRate(
  { target, counts, repetitions }: Pick<TargetView, 'target' | 'counts' | 'repetitions'>,
  rates: RatesByTarget,
): PassRate {
  return rates.get(target)?.eachCaseOnce?.passRate ?? passRate(counts, repetitions);
}

/** The mean score of a target, counted the same way. */
export function shownScore(
  { target, score }: Pick<TargetView, 'target' | 'score'>,
  rates: RatesByTarget,
): number | null {
  const once = rates.get(target)?.eachCaseOnce;
  return once === undefined ? meanOf(score) : once.score;
}
