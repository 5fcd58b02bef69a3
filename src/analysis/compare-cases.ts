import type { CaseTable } from './case-table.ts';
import { holmLevels } from './holm-levels.ts';
import { reasonsAgainst, type InvalidReason, type Side } from './invalid-reasons.ts';
import { matchCases, type Across, type Matched } from './match-cases.ts';
import type { CaseName } from './numbering.ts';
import { movedCases, perTrial, unequalPairs, valuesOf } from './pair-values.ts';
import type { MovedCase, Pairs, PairValues } from './pair-values.ts';
import { judgePairs, measurePairs } from './paired.ts';
import type { MeasuredPairs, PairedOptions, PairedResult, PairedVerdict } from './paired.ts';
import { ratioOfMedians, type MedianRatio } from './ratio-of-medians.ts';

export type ComparisonVerdict = 'invalid' | PairedVerdict;

export interface CompareOptions extends PairedOptions {
  /** Absent: the score, or passed if gates decide most cases. */
  readonly on?: 'score' | 'passed' | undefined;
  readonly across: readonly Across[];
}

/** Number of cases that pass less or more often, if the score is compared. */
export interface VerdictShift {
  readonly less: number;
  readonly more: number;
  /** Cases among them with an unchanged score. */
  readonly lessAtSameScore: number;
  readonly moreAtSameScore: number;
  readonly p: number;
  /** Whether more cases newly fail than chance explains. */
  readonly isMoreThanChance: boolean;
}

/** The comparison of two targets, case by case. */
export interface CaseComparison {
  readonly verdict: ComparisonVerdict;
  /** Reasons of an invalid verdict, else empty. */
  readonly reasons: readonly InvalidReason[];
  /** Null if the verdict is invalid. */
  readonly result: PairedResult | null;
  /** Means over the pairs. */
  readonly means: { readonly base: number; readonly candidate: number } | null;
  /** Null if the verdict is invalid, or if passed is compared. */
  readonly verdicts: VerdictShift | null;
  /** Cases with a lower value, largest change first. */
  readonly worse: readonly MovedCase[];
  readonly better: readonly MovedCase[];
  /** If scores are compared: cases that pass less, or more, often; largest change first. */
  readonly passedLess: readonly MovedCase[];
  readonly passedMore: readonly MovedCase[];
  readonly onlyInBase: readonly CaseName[];
  readonly onlyInCandidate: readonly CaseName[];
  readonly notMeasured: Matched['notMeasured'];
  /** Cases that differ between the sides, or are graded differently. */
  readonly changed: Matched['changed'];
  readonly ratios: Readonly<Record<'costUsd' | 'tokens' | 'latencyMs', MedianRatio | null>> | null;
  /** Trials of each side whose answer comes from an earlier run. Absent if no answer is cached. */
  readonly cached?: Readonly<Record<'base' | 'candidate', CachedTrials>>;
}

/** How many of all trials of a side are cached. */
export interface CachedTrials {
  readonly cached: number;
  readonly of: number;
}

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
