import type { CasesNeeded, PairedOptions, PairedResult, PairedVerdict } from '../core/run-comparison.ts';
import type { Interval } from '../lib/wilson.ts';
import { given } from '../lib/given.ts';
import { round9 } from '../lib/text/decimals.ts';
import { studentQuantile } from './distributions.ts';
import { fewestFlips } from '../lib/fewest-flips.ts';
import { casesToDetect, smallestChange, type Noise } from './smallest-change.ts';
import { permutation, type Permutation, type UnequalPair } from './permutation.ts';

/** Measured pairs, before they are judged. */
export interface MeasuredPairs extends Permutation {
  readonly spread: PairSpread;
  readonly interval: Interval;
  readonly unequal: number;
  /** Only for unequal repetitions that pass or fail. Absent if repetitions are equal or scored. */
  readonly lopsided?: Lopsided;
}

/** The distribution of trials over sides with unequal repetitions. */
interface Lopsided {
  /** The change of a case's value by one newly failing trial of the candidate. */
  readonly step: number;
  /** Number of trials of the base. */
  readonly baseTrials: number;
  /** The candidate's share of all trials. */
  readonly candidateShare: number;
  /** Share of cases with unequal repetitions. For the others, signs are flipped. */
  readonly shareOfCases: number;
}

/** Compares at least one pair. Differences by rounding errors count as 0. */
export function comparePairs(
  raw: ArrayLike<number>,
  options: PairedOptions,
  unequal: readonly UnequalPair[] = [],
): PairedResult {
  return judgePairs(measurePairs(raw, unequal, options.draws), options);
}

/** Measures at least one pair. `unequal`: the cases with more repetitions on one side. */
export function measurePairs(
  raw: ArrayLike<number>,
  unequal: readonly UnequalPair[],
  draws?: number,
): MeasuredPairs {
  const differences = Float64Array.from(raw, (difference) => (Math.abs(difference) < 1e-9 ? 0 : difference));
  const spread = spreadOf(differences);
  const tested = permutation(differences, unequal, draws);
  const lopsided = lopsidedOf(unequal, spread.pairs);
  return {
    ...tested,
    spread,
    interval: intervalOf(spread, tested),
    unequal: unequal.length,
    ...given({ lopsided }),
  };
}

function lopsidedOf(unequal: readonly UnequalPair[], pairs: number): Lopsided | undefined {
  const areFlips = unequal.every(({ base, candidate }) =>
    [base, candidate].every((side) => Array.from(side).every(Number.isInteger)),
  );
  if (!areFlips || unequal.length === 0) return undefined;
  const sum = (of: (pair: UnequalPair) => number) => unequal.reduce((all, pair) => all + of(pair), 0);
  const [baseTrials, candidateTrials] = [
    sum(({ base }) => base.length),
    sum(({ candidate }) => candidate.length),
  ];
  return {
    step: sum(({ candidate }) => 1 / candidate.length) / unequal.length,
    baseTrials,
    candidateShare: candidateTrials / (baseTrials + candidateTrials),
    shareOfCases: unequal.length / pairs,
  };
}

/**
 * An occasional new failure of the candidate is visible only if the few trials of the base are unlikely to have
 * passed by chance.
 */
function smallestSeen(change: number | null, lopsided: Lopsided | undefined, alpha: number): number | null {
  if (change === null || lopsided === undefined) return change;
  const { baseTrials, candidateShare, shareOfCases } = lopsided;
  const least = (shareOfCases * (1 - (alpha / 2) ** (1 / baseTrials))) / candidateShare;
  const seen = Math.hypot(change, least);
  return seen > 1 ? null : seen;
}

/** The verdict on measured pairs, where p must be below `alpha`. */
export function judgePairs(
  { spread, interval, p, draws, unequal, lopsided }: MeasuredPairs,
  options: PairedOptions,
): PairedResult {
  const verdict = verdictOf({ p, interval, difference: spread.mean }, options);
  const noise = noiseOf(spread, lopsided?.step ?? 0);
  const needed =
    verdict === 'inconclusive' ? casesNeeded({ ...spread, interval, noise }, options) : undefined;
  return {
    verdict,
    pairs: spread.pairs,
    informative: spread.worse + spread.better,
    worse: spread.worse,
    better: spread.better,
    difference: round9(spread.mean),
    interval,
    p,
    draws,
    unequal,
    level: options.alpha,
    smallestSeen: smallestSeen(smallestChange(spread.pairs, noise, options.alpha), lopsided, options.alpha),
    ...given({ casesNeeded: needed }),
  };
}

export interface PairSpread {
  readonly pairs: number;
  readonly mean: number;
  readonly variance: number;
  readonly worse: number;
  readonly better: number;
  /** Whether every difference is -1, 0 or 1. */
  readonly areFlips: boolean;
  /** Sum of squared differences. */
  readonly squares: number;
  /** Typical size of the non-zero differences. */
  readonly size: number;
}

function spreadOf(differences: Float64Array): PairSpread {
  const pairs = differences.length;
  let sum = 0;
  let sizes = 0;
  let squares = 0;
  let worse = 0;
  let better = 0;
  let areFlips = true;
  for (const difference of differences) {
    sum += difference;
    sizes += Math.abs(difference);
    squares += difference * difference;
    if (difference < 0) worse += 1;
    else if (difference > 0) better += 1;
    areFlips &&= Number.isInteger(difference);
  }
  const mean = sum / pairs;
  let deviations = 0;
  for (const difference of differences) deviations += (difference - mean) ** 2;
  const variance = pairs < 2 ? 0 : deviations / (pairs - 1);
  const size = sizes === 0 ? 1 : squares / sizes;
  return { pairs, mean, variance, worse, better, areFlips, squares, size };
}

/** Equal differences have a variance of rounding errors only, so the spread is unknown. */
function isSpreadKnown({
  variance,
  worse,
  better,
}: Pick<PairSpread, 'variance' | 'worse' | 'better'>): boolean {
  return worse + better >= 2 && variance > 1e-18;
}

/**
 * Paired t interval. If fewer than 2 pairs differ, or all equally, the spread is unknown and the rule of three bounds it. If
 * trials were permuted, it is at least as wide as the interval of chance.
 */
function intervalOf(
  { pairs, mean, variance, worse, better }: PairSpread,
  { chance }: Pick<Permutation, 'chance'>,
): Interval {
  const half = isSpreadKnown({ variance, worse, better })
    ? studentQuantile(0.975, pairs - 1) * Math.sqrt(variance / pairs)
    : 3 / pairs;
  const { lower, upper } = chance ?? { lower: 0, upper: 0 };
  return {
    lower: round9(Math.max(-1, mean - Math.max(half, upper))),
    upper: round9(Math.min(1, mean + Math.max(half, -lower))),
  };
}

function verdictOf(
  { p, interval, difference }: Pick<PairedResult, 'p' | 'interval' | 'difference'>,
  { alpha, margin }: PairedOptions,
): PairedVerdict {
  if (p < alpha) return difference < 0 ? 'regressed' : 'improved';
  const inside = interval.lower >= -margin - 1e-12 && interval.upper <= margin + 1e-12;
  return inside ? 'equivalent' : 'inconclusive';
}

/**
 * The noise in pairs that may contain a change. For flips, the net direction is taken as the change. If fewer than
 * two pairs differ, or all equally, the noise is unknown, and they count as flips.
 */
function noiseOf(spread: PairSpread, step: number): Noise {
  const { pairs, mean, variance, worse, better, areFlips, squares, size } = spread;
  if (!areFlips && isSpreadKnown({ variance, worse, better })) {
    return { variance, flipSize: Math.max(step, size * (1 - (worse + better) / pairs)), areFlips };
  }
  return { variance: Math.max(0, squares / pairs - Math.abs(mean)), flipSize: 1, areFlips: true };
}

function casesNeeded(
  { interval, noise, ...spread }: PairSpread & { readonly interval: Interval; readonly noise: Noise },
  { alpha, margin }: PairedOptions,
): CasesNeeded | undefined {
  const forMargin = margin > 0 ? casesToDetect(margin, noise, alpha) : 0;
  if (forMargin > spread.pairs) return { cases: forMargin, to: 'see-margin' };
  const cases = Math.min(casesToShow(spread, interval, alpha), casesToExclude(spread, interval, margin));
  return Number.isFinite(cases)
    ? { cases: Math.max(spread.pairs + 1, Math.ceil(cases - 1e-9)), to: 'decide' }
    : undefined;
}

/** Number of cases that would show the current difference. The interval narrows with the root of the cases. */
function casesToShow({ pairs, mean, areFlips }: PairSpread, { lower, upper }: Interval, alpha: number) {
  if (mean === 0) return Infinity;
  const side = mean < 0 ? upper - mean : mean - lower;
  const flips = areFlips ? fewestFlips(alpha) / Math.abs(mean) : 0;
  return Math.max(flips, pairs * (side / mean) ** 2);
}

/** Number of cases that would put the interval of this difference inside the margin. */
function casesToExclude({ pairs, mean }: PairSpread, { lower, upper }: Interval, margin: number) {
  if (Math.abs(mean) >= margin) return Infinity;
  return pairs * Math.max((mean - lower) / (margin + mean), (upper - mean) / (margin - mean)) ** 2;
}
