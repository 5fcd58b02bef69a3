import type { Interval } from '../core/totals.ts';
import { round9 } from '../lib/text/decimals.ts';
import { clopperPearson } from './clopper-pearson.ts';
import { studentQuantile } from './distributions.ts';

/** The 95 % interval of a mean difference has this chance to be missed at each end. */
const SIGNIFICANT = 0.05;

/** So many of the largest differences are bounded exactly. */
const LARGEST = 10;

/**
 * Where the true mean of differences from -1 to 1 may lie, 95 %. Of flips it is exact in all but name; else, where a
 * change is seen, it is the paired t interval, and where none is seen, it holds what may have been missed too: that a
 * few cases change wholly. It holds 0 just when p is at least 0.05.
 */
export function pairedInterval(differences: Float64Array, p: number, alpha = SIGNIFICANT): Interval {
  const mean = meanOf(differences);
  const { lower, upper } =
    p < Math.min(alpha, SIGNIFICANT) && isSpread(differences)
      ? studentInterval(differences)
      : carefulInterval(differences);
  const clipped = { lower: Math.max(-1, lower), upper: Math.min(1, upper) };
  if (p >= SIGNIFICANT) {
    return { lower: round9(Math.min(0, clipped.lower)), upper: round9(Math.max(0, clipped.upper)) };
  }
  return mean < 0
    ? { lower: round9(clipped.lower), upper: round9(Math.min(0, clipped.upper)) }
    : { lower: round9(Math.max(0, clipped.lower)), upper: round9(clipped.upper) };
}

/** Whether t knows the spread: differences of many sizes, ten of them at least. */
function isSpread(differences: Float64Array): boolean {
  const moved = differences.filter((difference) => difference !== 0);
  const mean = meanOf(differences);
  return (
    moved.length >= LARGEST &&
    moved.some((difference) => !Number.isInteger(difference)) &&
    differences.some((difference) => Math.abs(difference - mean) > 1e-9)
  );
}

function studentInterval(differences: Float64Array): Interval {
  const mean = meanOf(differences);
  const half = studentHalf(differences);
  return { lower: mean - half, upper: mean + half };
}

function studentHalf(differences: Float64Array): number {
  const pairs = differences.length;
  return studentQuantile(0.975, pairs - 1) * Math.sqrt(covariance(differences, differences) / pairs);
}

/** Paired t of all differences cut at the size of the eleventh largest, and exact bounds of what was cut off. */
function carefulInterval(differences: Float64Array): Interval {
  if (differences.every((difference) => Number.isInteger(difference))) return fewInterval(differences);
  const sizes = differences.map(Math.abs).sort();
  const cut = sizes[sizes.length - 1 - LARGEST] ?? 0;
  if (cut === 0) return fewInterval(differences);
  const small = differences.map((difference) => Math.max(-cut, Math.min(cut, difference)));
  const large = differences.map((difference, i) => difference - (small[i] as number));
  const rest = fewInterval(large);
  const [half, restMean] = [studentHalf(small), meanOf(large)];
  const shared = (2 * 1.96 ** 2 * Math.max(0, covariance(small, large))) / differences.length;
  const reach = (other: number) => Math.sqrt(half * half + other * other + shared);
  const mean = meanOf(differences);
  return { lower: mean - reach(restMean - rest.lower), upper: mean + reach(rest.upper - restMean) };
}

/**
 * Falls and rises are each bounded by how many there may be (Clopper and Pearson) times how large they are, the unseen
 * ones taken for whole (Stringer), and the bounds put together by the squares of their distances (Zou and Donner).
 */
function fewInterval(differences: Float64Array): Interval {
  const pairs = differences.length;
  const falls = partOf(differences.filter((difference) => difference < 0).map(Math.abs), pairs);
  const rises = partOf(
    differences.filter((difference) => difference > 0),
    pairs,
  );
  const odds = (falls.share * rises.share) / ((1 - falls.share) * (1 - rises.share));
  // A case that fell has not risen, so the two shares vary against each other.
  const shared = (one: number, other: number) => (odds > 0 ? 2 * Math.sqrt(odds) * one * other : 0);
  const down = [rises.mean - rises.lower, falls.upper - falls.mean] as const;
  const up = [rises.upper - rises.mean, falls.mean - falls.lower] as const;
  const reach = ([one, other]: readonly [number, number]) =>
    Math.sqrt(one * one + other * other + shared(one, other));
  const mean = rises.mean - falls.mean;
  return { lower: mean - reach(down), upper: mean + reach(up) };
}

interface Part extends Interval {
  readonly share: number;
  readonly mean: number;
}

/** `sizes`: of the pairs that moved one way. */
function partOf(sizes: Float64Array, pairs: number): Part {
  const share = sizes.length / pairs;
  const bounds = (count: number) => clopperPearson(count, pairs) ?? { lower: 0, upper: 1 };
  if (sizes.every((size) => size === 1)) return { share, mean: share, ...bounds(sizes.length) };
  let [before, lower] = [bounds(0), 0];
  let { upper } = before;
  for (const [i, size] of sizes.toSorted().toReversed().entries()) {
    const now = bounds(i + 1);
    upper += (now.upper - before.upper) * size;
    lower += (now.lower - before.lower) * size;
    before = now;
  }
  return { share, mean: sizes.reduce((sum, size) => sum + size, 0) / pairs, lower, upper };
}

function covariance(one: Float64Array, other: Float64Array): number {
  const [first, second] = [meanOf(one), meanOf(other)];
  const products = one.reduce((sum, value, i) => sum + (value - first) * ((other[i] as number) - second), 0);
  return products / (one.length - 1);
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
