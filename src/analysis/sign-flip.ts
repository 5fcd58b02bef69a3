import { seededRandom, type SeededRandom } from '../lib/random.ts';

/** The probability of a mean difference this far from 0 without a change. */
export interface SignFlip {
  /** Two-sided p-value. */
  readonly p: number;
  /** `all`: every sign pattern was counted. Else the number of random patterns. */
  readonly draws: 'all' | number;
}

const EXACT_UP_TO = 20;
/** Number of random patterns, if there are too many to enumerate. */
export const DRAWS = 10_000;
export const SEED = 20_261;

/**
 * The sign-flip test of paired differences: without a change, both signs of each difference are equally likely. Pairs
 * that do not differ are ignored. For differences that are all -1 or 1 it is McNemar's exact test.
 */
export function signFlip(differences: ArrayLike<number>, draws: number = DRAWS): SignFlip {
  const informative = Float64Array.from(differences).filter((difference) => difference !== 0);
  let total = 0;
  let reach = 0;
  for (const difference of informative) {
    total += difference;
    reach += Math.abs(difference);
  }
  // Mathematically equal sums may differ by rounding errors.
  const bar = Math.abs(total) - 1e-10 * reach;
  if (bar <= 0) return { p: 1, draws: informative.length <= EXACT_UP_TO ? 'all' : draws };
  if (informative.length <= EXACT_UP_TO) return { p: exactP(informative, bar), draws: 'all' };
  return { p: (1 + drawnExtremes(informative, bar, draws)) / (1 + draws), draws };
}

/** Counts all sign patterns: sorts the sums of each half, and counts the pairs that reach the bar. */
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

/** The sums of all sign patterns. Bit i of the index is the sign of value i. */
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

/** Adds the differences with random signs to each sum, 32 at a time by the bits of a number. */
export function addSignFlips(sums: Float64Array, differences: Float64Array, random: SeededRandom): void {
  const bits = new Int32Array(sums.length);
  const addThem = differences.every((difference) => Math.abs(difference) === 1) ? addFlips : addLookedUp;
  for (let from = 0; from < differences.length; from += 32) {
    random.drawBits(bits);
    addThem(sums, differences.subarray(from, from + 32), bits);
  }
}

/** Adds at most 32 differences of -1 or 1: by counting bits. */
function addFlips(sums: Float64Array, differences: Float64Array, bits: Int32Array): void {
  const count = differences.length;
  let unlike = 0;
  for (let i = 0; i < count; i++) if ((differences[i] as number) < 0) unlike |= 1 << i;
  const used = count === 32 ? -1 : (1 << count) - 1;
  for (let draw = 0; draw < sums.length; draw++) {
    const positive = countBits(((bits[draw] as number) ^ unlike) & used);
    sums[draw] = (sums[draw] as number) + 2 * positive - count;
  }
}

function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** Adds at most 32 differences: each of four bytes looks up the sum of eight. */
function addLookedUp(sums: Float64Array, differences: Float64Array, bits: Int32Array): void {
  const sumsOfEight = (from: number) => {
    const eight = new Float64Array(8);
    eight.set(differences.subarray(from, from + 8));
    return signedSums(eight);
  };
  const [a, b, c, d] = [sumsOfEight(0), sumsOfEight(8), sumsOfEight(16), sumsOfEight(24)];
  for (let draw = 0; draw < sums.length; draw++) {
    const drawn = bits[draw] as number;
    sums[draw] =
      (sums[draw] as number) +
      (a[drawn & 255] as number) +
      (b[(drawn >>> 8) & 255] as number) +
      (c[(drawn >>> 16) & 255] as number) +
      (d[drawn >>> 24] as number);
  }
}
