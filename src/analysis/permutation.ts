import { randomNormal } from '../lib/random-gamma.ts';
import { seededRandom } from '../lib/random.ts';
import { addSignFlips, DRAWS, SEED, signFlip, type SignFlip } from './sign-flip.ts';

/** The measured trials of a case with more of them on one side. */
export interface UnequalPair {
  /** Index of its difference. */
  readonly at: number;
  readonly base: ArrayLike<number>;
  readonly candidate: ArrayLike<number>;
}

/** The probability of such a mean difference without a change. */
export interface Permutation extends SignFlip {
  /** Range of 95 % of the mean differences by chance. Null if only signs were flipped. */
  readonly chance: { readonly lower: number; readonly upper: number } | null;
}

/**
 * The permutation test of paired differences. If a case has equally many trials on both sides, the sign of its difference is
 * flipped. Otherwise its trials are distributed over both sides at random.
 */
export function permutation(
  differences: Float64Array,
  unequal: readonly UnequalPair[],
  draws: number = DRAWS,
): Permutation {
  if (unequal.length === 0) return { ...signFlip(differences, draws), chance: null };
  const flipped = differences.slice();
  for (const { at } of unequal) flipped[at] = 0;
  const signs = flipped.filter((difference) => difference !== 0);
  const redrawn = unequal.map(redrawnOf).filter(({ variance }) => variance > 0);
  const total = differences.reduce((sum, difference) => sum + difference, 0);
  const counted = everySum(signs, redrawn, draws);
  const sums = counted ?? drawnSums(signs, redrawn, draws);
  const extremes = atLeastAsFar(sums, total, differences);
  const tail = counted === undefined ? (1 + extremes) / (1 + draws) : extremes / sums.length;
  const n = differences.length;
  sums.sort();
  const left = Math.floor(0.025 * sums.length);
  return {
    p: Math.abs(total) < 1e-9 ? 1 : Math.min(1, 2 * tail),
    draws: counted === undefined ? draws : 'all',
    chance: {
      lower: (sums[left] as number) / n,
      upper: (sums[sums.length - 1 - left] as number) / n,
    },
  };
}

/** A case whose trials are permuted. */
interface Redrawn {
  readonly trials: Float64Array;
  /** Number of trials on its smaller side. */
  readonly few: number;
  /** 1 if the candidate's side is the smaller one, else -1. */
  readonly sign: 1 | -1;
  /** Number of ways to choose the smaller side. */
  readonly ways: number;
  /** Variance of the difference. */
  readonly variance: number;
}

function redrawnOf({ base, candidate }: UnequalPair): Redrawn {
  const trials = Float64Array.from([...Array.from(base), ...Array.from(candidate)]);
  const few = Math.min(base.length, candidate.length);
  const mean = trials.reduce((sum, value) => sum + value, 0) / trials.length;
  const squares = trials.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const spread = squares / (trials.length - 1);
  return {
    trials,
    few,
    sign: candidate.length < base.length ? 1 : -1,
    ways: countCombinations(trials.length, few),
    variance: spread < 1e-18 ? 0 : spread * (1 / few + 1 / (trials.length - few)),
  };
}

/** The difference that corresponds to a sum over the smaller side. */
function differenceOf({ trials, few, sign }: Redrawn, all: number, some: number): number {
  return sign * (some / few - (all - some) / (trials.length - few));
}

/** With more ways than this, trials are drawn one by one instead of from a table. */
const MOST_WAYS = 1024;

/** The differences of all ways to choose the smaller side, which are equally likely. */
function waysOf(pair: Redrawn): Float64Array {
  const all = pair.trials.reduce((sum, value) => sum + value, 0);
  return combinations(pair.trials, pair.few).map((some) => differenceOf(pair, all, some));
}

/** The sums of all arrangements. Undefined if there are more than would be drawn. */
function everySum(signs: Float64Array, redrawn: readonly Redrawn[], most: number): Float64Array | undefined {
  const arrangements = redrawn.reduce((product, { ways }) => product * ways, 2 ** signs.length);
  if (arrangements > most) return undefined;
  const choices = [
    ...Array.from(signs, (difference) => Float64Array.of(difference, -difference)),
    ...redrawn.map(waysOf),
  ];
  let sums = Float64Array.of(0);
  for (const ways of choices) {
    const next = new Float64Array(sums.length * ways.length);
    for (let i = 0; i < next.length; i++) {
      next[i] = (sums[i % sums.length] as number) + (ways[Math.floor(i / sums.length)] as number);
    }
    sums = next;
  }
  return sums;
}

/** With this many cases, the sum is approximately normal. */
const MOST_DRAWN = 2000;

function drawnSums(signs: Float64Array, redrawn: readonly Redrawn[], draws: number): Float64Array {
  const random = seededRandom(SEED);
  const sums = new Float64Array(draws);
  addSignFlips(sums, signs, random);
  if (redrawn.length > MOST_DRAWN) {
    const variance = redrawn.reduce((sum, pair) => sum + pair.variance, 0);
    for (let draw = 0; draw < draws; draw++) {
      sums[draw] = (sums[draw] as number) + Math.sqrt(variance) * randomNormal(random);
    }
    return sums;
  }
  for (const pair of redrawn) {
    if (pair.ways <= MOST_WAYS) addLookedUp(sums, waysOf(pair), random);
    else addShuffled(sums, pair, random);
  }
  return sums;
}

function addLookedUp(sums: Float64Array, ways: Float64Array, random: () => number): void {
  for (let draw = 0; draw < sums.length; draw++) {
    sums[draw] = (sums[draw] as number) + (ways[Math.floor(random() * ways.length)] as number);
  }
}

function addShuffled(sums: Float64Array, pair: Redrawn, random: () => number): void {
  const trials = pair.trials.slice();
  const all = trials.reduce((sum, value) => sum + value, 0);
  for (let draw = 0; draw < sums.length; draw++) {
    let some = 0;
    for (let i = 0; i < pair.few; i++) {
      const other = i + Math.floor(random() * (trials.length - i));
      const drawn = trials[other] as number;
      trials[other] = trials[i] as number;
      trials[i] = drawn;
      some += drawn;
    }
    sums[draw] = (sums[draw] as number) + differenceOf(pair, all, some);
  }
}

/** Number of sums at least as extreme as the measured one, with a tolerance for rounding errors. */
function atLeastAsFar(sums: Float64Array, total: number, differences: Float64Array): number {
  const reach = differences.reduce((sum, difference) => sum + Math.abs(difference), 0);
  const bar = Math.abs(total) - 1e-10 * Math.max(1, reach);
  const side = total < 0 ? -1 : 1;
  let extremes = 0;
  for (const sum of sums) if (side * sum >= bar) extremes += 1;
  return extremes;
}

/** The number of ways to choose `chosen` of `all`. */
function countCombinations(all: number, chosen: number): number {
  let count = 1;
  for (let i = 0; i < chosen; i++) count = (count * (all - i)) / (i + 1);
  return Math.round(count);
}

/** The sums of all choices of `chosen` values. */
function combinations(values: Float64Array, chosen: number): Float64Array {
  const sums = new Float64Array(countCombinations(values.length, chosen));
  let found = 0;
  const choose = (from: number, left: number, sum: number): void => {
    if (left === 0) {
      sums[found++] = sum;
      return;
    }
    for (let i = from; i <= values.length - left; i++) choose(i + 1, left - 1, sum + (values[i] as number));
  };
  choose(0, chosen, 0);
  return sums;
}
