import { bestLower95, lower95 } from './clopper-pearson.ts';

/** Passed and measured repetitions of one case. */
export interface CaseCount {
  readonly passed: number;
  readonly measured: number;
}

/** A rate over cases with correlated repetitions. */
export interface ClusteredRate {
  /** Mean of the case means. */
  readonly rate: number;
  readonly cases: number;
  readonly trials: number;
  /** Standard error, clustered by case. Null below 2 cases. */
  readonly standardError: number | null;
  /** Factor by which the variance exceeds that of independent trials, at least 1. Null if unknown. */
  readonly designEffect: number | null;
  /** Effective number of independent trials. */
  readonly effective: number;
  /** One-sided lower 95 % bound from the effective number. At most that of equally many passed cases. */
  readonly lower95: number;
}

/** The clustered rate, without unmeasured cases. Null if no case was measured. */
export function clusteredRate(counts: Iterable<CaseCount>): ClusteredRate | null {
  const means: number[] = [];
  let trials = 0;
  let shares = 0;
  for (const { passed, measured } of counts) {
    if (measured === 0) continue;
    means.push(passed / measured);
    trials += measured;
    shares += 1 / measured;
  }
  const cases = means.length;
  if (cases === 0) return null;
  const rate = means.reduce((sum, mean) => sum + mean, 0) / cases;
  const variance = means.reduce((sum, mean) => sum + (mean - rate) ** 2, 0) / (cases - 1) / cases;
  // Equals the number of trials if each case has equally many. A case with many repetitions counts no more than one.
  const most = cases ** 2 / shares;
  const independent = (rate * (1 - rate)) / most;
  // If all cases have the same result, the correlation of repetitions is unknown, so each case counts once.
  const isKnown = cases > 1 && independent > 1e-15 && trials > cases;
  const designEffect = isKnown ? Math.max(1, variance / independent) : trials === cases ? 1 : null;
  const effective = designEffect === null ? cases : Math.max(most / designEffect, 1);
  return {
    rate,
    cases,
    trials,
    standardError: cases > 1 ? Math.sqrt(variance) : null,
    designEffect,
    effective,
    lower95: Math.min(lower95(rate * effective, effective) ?? 0, bestLower95(cases)),
  };
}
