import { seededRandom } from '../lib/random.ts';

/** How likely a mean difference this far from 0 is when nothing has changed. */
export interface SignFlip {
  /** Two-sided. */
  readonly p: number;
  /** Every pattern of signs was counted, or so many were drawn. */
  readonly draws: 'all' | number;
}

const EXACT_UP_TO = 20;
/** Drawn where there are too many patterns to count. */
export const DRAWS = 10_000;
export const SEED = 20_261;

/**
 * The sign-flip test of paired differences: without a change each of them could as well have had the other sign. Pairs
 * that do not differ say nothing. Of differences that are all -1 or 1 it is McNemar's exact test.
 */
export function signFlip(differences: ArrayLike<number>, draws: number = DRAWS): SignFlip {
  const informative = Float64Array.from(differences).filter((difference) => difference !== 0);
  let total = 0;
  let reach = 0;
  for (const difference of informative) {
    total += difference;
    reach += Math.abs(difference);
  }
  // Sums that are equal on paper may differ in their last digits.
  const bar = Math.abs(total) - 1e-10 * reach;
  if (bar <= 0) return { p: 1, draws: informative.length <= EXACT_UP_TO ? 'all' : draws };
  if (informative.length <= EXACT_UP_TO) return { p: exactP(informative, bar), draws: 'all' };
  return { p: (1 + drawnExtremes(informative, bar, draws)) / (1 + draws), draws };
}

/** Counts all sign patterns: the sums of each half, sorted, and every pair of sums that reaches the bar. */
function exactP(differences: Float64Array, bar: number): number {
  const middle = differences.length >> 1;
  const left = signedSums(differences.subarray(0, middle)).sort();
  const right = signedSums(differences.subarray(middle)).sort();
  let extremes = 0;
  let reached = right.length;
  for (const sum of left) {
    while (reached > 0 && sum + (right[reached - 1] as number) >= bar) reached -= 1;
    extremes += right.length - reached;
  }
  return Math.min(1, (2 * extremes) / (left.length * right.length));
}

/** The sum of every pattern of signs; bit i of the position is the sign of value i. */
function signedSums(values: Float64Array): Float64Array {
  const sums = new Float64Array(2 ** values.length);
  for (const value of values) sums[0] = (sums[0] as number) - value;
  for (let pattern = 1; pattern < sums.length; pattern++) {
    const lowest = 31 - Math.clz32(pattern & -pattern);
    sums[pattern] = (sums[pattern & (pattern - 1)] as number) + 2 * (values[lowest] as number);
  }
  return sums;
}

function drawnExtremes(differences: Float64Array, bar: number, draws: number): number {
  const sums = new Float64Array(draws);
  addSignFlips(sums, differences, seededRandom(SEED));
  let extremes = 0;
  for (const sum of sums) if (Math.abs(sum) >= bar) extremes += 1;
  return extremes;
}

/** Adds to each of the sums the differences with signs drawn at random: four bytes of a number look up eight signs each. */
export function addSignFlips(sums: Float64Array, differences: Float64Array, random: () => number): void {
  const eight = new Float64Array(8);
  const sumsOfEight = (from: number) => {
    eight.fill(0);
    eight.set(differences.subarray(from, from + 8));
    return signedSums(eight);
  };
  for (let from = 0; from < differences.length; from += 32) {
    const [a, b, c, d] = [
      sumsOfEight(from),
      sumsOfEight(from + 8),
      sumsOfEight(from + 16),
      sumsOfEight(from + 24),
    ];
    for (let draw = 0; draw < sums.length; draw++) {
      const bits = (random() * 4_294_967_296) >>> 0;
      sums[draw] =
        (sums[draw] as number) +
        (a[bits & 255] as number) +
        (b[(bits >>> 8) & 255] as number) +
        (c[(bits >>> 16) & 255] as number) +
        (d[bits >>> 24] as number);
    }
  }
}
