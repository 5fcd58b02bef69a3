import { bestLower95, lower95 } from './clopper-pearson.ts';

/** Passed and measured repetitions of one case. */
export interface CaseCount {
  readonly passed: number;
  readonly measured: number;
}

/** A rate over cases whose repetitions are alike. */
export interface ClusteredRate {
  /** Mean of the case means. */
  readonly rate: number;
  readonly cases: number;
  readonly trials: number;
  /** Clustered by case; null below 2 cases. */
  readonly standardError: number | null;
  /** How many times as uncertain as if all trials were independent, at least 1; null when it cannot be known. */
  readonly designEffect: number | null;
  /** Independent trials that would say as much. */
  readonly effective: number;
  /** One-sided 95 %, from the effective number; never above what as many clean cases show. */
  readonly lower95: number;
}

/** Null when no case was measured. Unmeasured cases are left out. */
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
  // As many as the trials where each case has equally many; an often repeated case is worth no more than one.
  const most = cases ** 2 / shares;
  const independent = (rate * (1 - rate)) / most;
  // Where all cases are alike, nothing says how alike repetitions are: each case counts once.
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
