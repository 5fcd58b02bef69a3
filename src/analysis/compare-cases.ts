import type {
  CaseComparison,
  CompareOptions,
  InvalidReason,
  PairedOptions,
  VerdictShift,
} from '../core/run-comparison.ts';
import type { CaseTable } from './case-table.ts';
import { holmLevels } from './holm-levels.ts';
import { reasonsAgainst, type Side } from './invalid-reasons.ts';
import { matchCases, type Matched } from './match-cases.ts';
import { movedCases, perTrial, unequalPairs, valuesOf } from './pair-values.ts';
import type { Pairs, PairValues } from './pair-values.ts';
import { judgePairs, measurePairs } from './paired.ts';
import type { MeasuredPairs } from './paired.ts';
import { ratioOfMedians } from './ratio-of-medians.ts';

/** The comparisons of all targets, and the compared value. */
export interface Comparisons {
  readonly on: 'score' | 'passed';
  readonly comparisons: readonly CaseComparison[];
}

/** Compares sides with common digest numbers. The verdicts together hold at level alpha. */
export function compareAll(
  sides: readonly { readonly base: Side; readonly candidate: Side }[],
  options: CompareOptions,
): Comparisons {
  const matched = sides.map((both) => ({
    ...both,
    matched: matchCases(both.base.table, both.candidate.table),
  }));
  const on = options.on ?? (areMostGated(matched) ? 'passed' : 'score');
  const measured = matched.map((both) => {
    const reasons = reasonsAgainst(both, { on, across: options.across });
    const pairs = { base: both.base.table, candidate: both.candidate.table, places: both.matched.pairs };
    return { ...both, reasons, measured: reasons.length > 0 ? undefined : measure(pairs, on) };
  });
  const levels = holmLevels(
    measured.map((each) => each.measured?.compared.p),
    options.alpha,
  );
  const passedLevels = holmLevels(
    measured.map((each) => each.measured?.passed?.compared.p),
    options.alpha,
  );
  const comparisons = measured.map((each, i) =>
    comparisonOf({ ...each, passedLevel: passedLevels[i] ?? 0 }, { ...options, alpha: levels[i] ?? 0 }),
  );
  return { on, comparisons };
}

interface MatchedSides {
  readonly base: Side;
  readonly candidate: Side;
  readonly matched: Matched;
}

/** Whether gates decide most of the compared cases. */
function areMostGated(all: readonly MatchedSides[]): boolean {
  let [gated, cases] = [0, 0];
  for (const { base, matched } of all) {
    cases += matched.pairs.length;
    for (const [left] of matched.pairs) gated += base.table.gated[left] as number;
  }
  return gated * 2 > cases;
}

/** The measured values of two sides, before they are tested. */
interface MeasuredSides {
  readonly pairs: Pairs;
  readonly values: PairValues;
  readonly compared: MeasuredPairs;
  /** The same for passed, if the score is compared. */
  readonly passed?: { readonly values: PairValues; readonly compared: MeasuredPairs };
}

function measure(pairs: Pairs, on: 'score' | 'passed'): MeasuredSides {
  const passed = valuesOf(pairs, 'passed');
  if (on === 'passed') return { pairs, ...measureValues(pairs, 'passed', passed) };
  const scored = measureValues(pairs, 'scores', valuesOf(pairs, 'scores'));
  // If every score is 0 or 1, one test is enough.
  const isOneTest = scored.compared.unequal === 0 && areSame(scored.values, passed);
  return { pairs, ...scored, passed: isOneTest ? scored : measureValues(pairs, 'passed', passed) };
}

function measureValues(pairs: Pairs, what: 'scores' | 'passed', values: PairValues) {
  return { values, compared: measurePairs(values.differences, unequalPairs(pairs, what)) };
}

function areSame(one: PairValues, other: PairValues): boolean {
  return (
    one.base.every((value, i) => value === other.base[i]) &&
    one.candidate.every((value, i) => value === other.candidate[i])
  );
}

function comparisonOf(
  {
    base,
    candidate,
    matched,
    reasons,
    measured,
    passedLevel,
  }: MatchedSides & {
    readonly reasons: readonly InvalidReason[];
    readonly measured: MeasuredSides | undefined;
    /** The level for the test of passed, if the score is compared. */
    readonly passedLevel: number;
  },
  options: PairedOptions,
): CaseComparison {
  const { onlyInBase, onlyInCandidate, notMeasured, changed } = matched;
  const lists = {
    onlyInBase,
    onlyInCandidate,
    notMeasured,
    changed,
    ...cachedIn(base.table, candidate.table),
  };
  if (measured === undefined) return { ...NOTHING, ...lists, verdict: 'invalid', reasons };
  const { pairs, values, compared, passed } = measured;
  const result = judgePairs(compared, options);
  const moved = movedCases(pairs, values);
  const flipped = passed === undefined ? [] : movedCases(pairs, passed.values);
  const ratio = (what: 'costUsd' | 'tokens' | 'latencyMs') =>
    ratioOfMedians(perTrial(pairs, 'base', what), perTrial(pairs, 'candidate', what));
  return {
    verdict: result.verdict,
    reasons,
    result,
    means: { base: meanOf(values.base), candidate: meanOf(values.candidate) },
    verdicts: passed === undefined ? null : shiftOf(values, passed, passedLevel),
    worse: moved.filter(({ difference }) => difference < 0),
    better: moved.filter(({ difference }) => difference > 0).toReversed(),
    passedLess: flipped.filter(({ difference }) => difference < 0),
    passedMore: flipped.filter(({ difference }) => difference > 0).toReversed(),
    ...lists,
    ratios: { costUsd: ratio('costUsd'), tokens: ratio('tokens'), latencyMs: ratio('latencyMs') },
  };
}

function cachedIn(base: CaseTable, candidate: CaseTable): Pick<CaseComparison, 'cached'> {
  if (base.cachedTrials + candidate.cachedTrials === 0) return {};
  const countIn = ({ cachedTrials: cached, trials: of }: CaseTable) => ({ cached, of });
  return { cached: { base: countIn(base), candidate: countIn(candidate) } };
}

const NOTHING = {
  result: null,
  means: null,
  verdicts: null,
  worse: [],
  better: [],
  passedLess: [],
  passedMore: [],
  ratios: null,
} as const;

function shiftOf(
  scores: PairValues,
  { values, compared: { p, spread } }: NonNullable<MeasuredSides['passed']>,
  alpha: number,
): VerdictShift {
  let [lessAtSameScore, moreAtSameScore] = [0, 0];
  for (const [i, difference] of values.differences.entries()) {
    if (Math.abs(scores.differences[i] as number) >= 1e-9) continue;
    if (difference <= -1e-9) lessAtSameScore += 1;
    if (difference >= 1e-9) moreAtSameScore += 1;
  }
  return {
    less: spread.worse,
    more: spread.better,
    lessAtSameScore,
    moreAtSameScore,
    p,
    isMoreThanChance: p < alpha && spread.mean < 0,
  };
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
