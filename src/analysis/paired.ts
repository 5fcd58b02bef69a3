import type { Interval } from '../core/totals.ts';
import { round9 } from '../lib/text/decimals.ts';
import { normalQuantile, studentQuantile } from './distributions.ts';
import { signFlip, type SignFlip } from './sign-flip.ts';

/** What two measured sides came to; `invalid` is decided before anything is measured. */
export type PairedVerdict = 'regressed' | 'improved' | 'equivalent' | 'inconclusive';

export interface PairedOptions {
  /** Two-sided. */
  readonly alpha: number;
  /** A difference that nobody minds. */
  readonly margin: number;
  /** Patterns of signs to draw where they are too many to count. */
  readonly draws?: number;
}

/** The paired comparison of one number for each case. */
export interface PairedResult {
  readonly verdict: PairedVerdict;
  readonly pairs: number;
  /** Pairs that differ. */
  readonly informative: number;
  readonly worse: number;
  readonly better: number;
  /** Mean of candidate - base. */
  readonly difference: number;
  /** 95 %, whatever alpha. */
  readonly interval: Interval;
  readonly p: number;
  readonly draws: SignFlip['draws'];
  /** The smallest change that this many cases show with 80 % chance; null: not even the largest. */
  readonly smallestSeen: number | null;
  /** Only where it is inconclusive, and some number of cases would do. */
  readonly casesNeeded?: CasesNeeded;
}

export interface CasesNeeded {
  readonly cases: number;
  /** A change as large as the margin is then seen with 80 % chance; or, with so many that come out as these, it is decided. */
  readonly to: 'see-margin' | 'decide';
}

/** Compares at least one pair; a difference of the last digits is none. */
export function comparePairs(raw: ArrayLike<number>, options: PairedOptions): PairedResult {
  const differences = Float64Array.from(raw, (difference) => (Math.abs(difference) < 1e-9 ? 0 : difference));
  const spread = spreadOf(differences);
  const { p, draws } = signFlip(differences, options.draws);
  const interval = intervalOf(spread);
  const verdict = verdictOf({ p, interval, difference: spread.mean }, options);
  const needed = verdict === 'inconclusive' ? casesNeeded(spread, interval, options) : undefined;
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
    smallestSeen: smallestChange(spread.pairs, noiseOf(spread), options.alpha),
    ...(needed === undefined ? {} : { casesNeeded: needed }),
  };
}

/** The fewest one-way pairs whose p is below alpha: 6 for 0.05. */
export function fewestFlips(alpha: number): number {
  return Math.floor(1 + Math.log2(1 / alpha) + 1e-9) + 1;
}

/** The smallest change that so many pairs show with 80 % chance; null: not even the largest. */
export function smallestChange(pairs: number, noise: Noise, alpha: number): number | null {
  const { variance, flipSize, areFlips } = noise;
  if (pairs < fewestFlips(alpha)) return null;
  // The change x that outgrows its own variance: x^2 = g (variance + flipSize x), less g x^2 where cases flip.
  const g = reachOf(pairs, noise, alpha) ** 2 / pairs;
  const square = areFlips ? 1 + g : 1;
  const linear = g * flipSize;
  const seen = (linear + Math.sqrt(linear * linear + 4 * square * g * variance)) / (2 * square);
  const smallest = areFlips ? Math.max(seen, fewestFlips(alpha) / pairs) : seen;
  return smallest > 1 ? null : smallest;
}

/** How many cases show a change of `detect` with 80 % chance. */
export function casesToDetect(detect: number, noise: Noise, alpha: number): number {
  const { variance, flipSize, areFlips } = noise;
  const fewest = areFlips ? fewestFlips(alpha) / detect : fewestFlips(alpha);
  const changed = variance + flipSize * detect - (areFlips ? detect * detect : 0);
  let cases = 1e6;
  // Student's quantiles depend on the answer; three rounds settle it.
  for (let round = 0; round < 3; round++) {
    const needed = (reachOf(cases, noise, alpha) ** 2 * changed) / (detect * detect);
    cases = Math.ceil(Math.max(needed, fewest) - 1e-9);
  }
  return cases;
}

/** Standard errors between no change and one that shows with 80 % chance. */
function reachOf(pairs: number, { areFlips }: Noise, alpha: number): number {
  if (areFlips || pairs > 10_000) return normalQuantile(1 - alpha / 2) + normalQuantile(0.8);
  return studentQuantile(1 - alpha / 2, pairs - 1) + studentQuantile(0.8, pairs - 1);
}

/** How pairs differ by chance, and how a change adds to that. */
export interface Noise {
  /** Of the difference of a pair when nothing has changed. */
  readonly variance: number;
  /** How far the cases go that a change newly moves; 0: it moves every case a little. */
  readonly flipSize: number;
  /** Whether a case changes wholly or not at all. */
  readonly areFlips: boolean;
}

interface PairSpread {
  readonly pairs: number;
  readonly mean: number;
  readonly variance: number;
  readonly worse: number;
  readonly better: number;
  /** Whether every difference is -1, 0 or 1. */
  readonly areFlips: boolean;
  /** Sum of squares. */
  readonly squares: number;
  /** Typical size of the differences that are not 0. */
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

/** Differences that are all alike leave a variance of the last digits. */
function isSpreadKnown({
  variance,
  worse,
  better,
}: Pick<PairSpread, 'variance' | 'worse' | 'better'>): boolean {
  return worse + better >= 2 && variance > 1e-18;
}

/** Paired t; where fewer than 2 pairs differ, or all alike, the spread is unknown and the rule of three bounds it. */
function intervalOf({ pairs, mean, variance, worse, better }: PairSpread): Interval {
  const half = isSpreadKnown({ variance, worse, better })
    ? studentQuantile(0.975, pairs - 1) * Math.sqrt(variance / pairs)
    : 3 / pairs;
  return { lower: round9(Math.max(-1, mean - half)), upper: round9(Math.min(1, mean + half)) };
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
 * The noise in pairs that may hold a change: of flips, what went one way only is taken for the change. Where fewer than
 * two pairs differ, or all alike, nothing is known about it, and they count as flips.
 */
function noiseOf({ pairs, mean, variance, worse, better, areFlips, squares, size }: PairSpread): Noise {
  if (!areFlips && isSpreadKnown({ variance, worse, better })) {
    return { variance, flipSize: size * (1 - (worse + better) / pairs), areFlips };
  }
  return { variance: Math.max(0, squares / pairs - Math.abs(mean)), flipSize: 1, areFlips: true };
}

function casesNeeded(
  spread: PairSpread,
  interval: Interval,
  { alpha, margin }: PairedOptions,
): CasesNeeded | undefined {
  const forMargin = margin > 0 ? casesToDetect(margin, noiseOf(spread), alpha) : 0;
  if (forMargin > spread.pairs) return { cases: forMargin, to: 'see-margin' };
  const cases = Math.min(casesToShow(spread, interval, alpha), casesToExclude(spread, interval, margin));
  return Number.isFinite(cases)
    ? { cases: Math.max(spread.pairs + 1, Math.ceil(cases - 1e-9)), to: 'decide' }
    : undefined;
}

/** Those that show a difference as it is now; an interval narrows by the root of the cases. */
function casesToShow({ pairs, mean, areFlips }: PairSpread, { lower, upper }: Interval, alpha: number) {
  if (mean === 0) return Infinity;
  const side = mean < 0 ? upper - mean : mean - lower;
  const flips = areFlips ? fewestFlips(alpha) / Math.abs(mean) : 0;
  return Math.max(flips, pairs * (side / mean) ** 2);
}

/** Those that put the interval around such a difference inside the margin. */
function casesToExclude({ pairs, mean }: PairSpread, { lower, upper }: Interval, margin: number) {
  if (Math.abs(mean) >= margin) return Infinity;
  return pairs * Math.max((mean - lower) / (margin + mean), (upper - mean) / (margin - mean)) ** 2;
}
