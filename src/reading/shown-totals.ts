import type { CaseRates } from './case-rates.ts';
import type { Tally } from './tally.ts';
import { totalsOf, type Totals } from './totals.ts';

/** Totals as in results.json: if cases have different numbers of repetitions, each case counts once. */
export interface ShownTotals extends Totals, Omit<CaseRates, 'eachCaseOnce'> {
  /** `meanOfCases`: the mean is over this many cases, each counting once. */
  readonly score: { readonly mean: number | null; readonly n: number; readonly meanOfCases?: number };
}

export function shownTotals(tally: Tally, { eachCaseOnce, ...rates }: CaseRates): ShownTotals {
  const totals = { ...totalsOf(tally), ...rates };
  if (eachCaseOnce === undefined) return totals;
  const { passRate, score } = eachCaseOnce;
  const { meanOfCases } = passRate;
  return {
    ...totals,
    passRate,
    score: { mean: score, n: tally.score.n, ...(meanOfCases === undefined ? {} : { meanOfCases }) },
  };
}
