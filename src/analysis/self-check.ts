import { seededRandom } from '../lib/random.ts';
import { comparePairs } from './paired.ts';
import type { UnequalPair } from './permutation.ts';
import { fewestFlips } from '../lib/fewest-flips.ts';

/** The rate of false alarms of a gate on a regression. */
export interface SelfCheck {
  readonly splits: number;
  /** Number of cases with at least 2 measured repetitions. */
  readonly cases: number;
  /** Number of them with differing repetitions. Only these can differ between the halves. */
  readonly varying: number;
  /** Fewest varying cases for a regression. With fewer, the absence of alarms proves nothing. */
  readonly fewest: number;
  /** Number of splits that were called a regression. */
  readonly alarms: number;
  readonly share: number;
  /** Expected rate at most: half of the two-sided alpha. */
  readonly nominal: number;
  /** Whether the rate exceeds the nominal one by more than chance explains. */
  readonly criesWolf: boolean;
}

export interface SelfCheckOptions {
  readonly alpha: number;
  readonly margin: number;
}

const SEED = 20_261;
const SPLITS = 1000;

/** Splits the repetitions of one run at random into two equivalent runs. Null if no case was repeated. */
export function selfCheck(
  values: readonly (readonly number[])[],
  options: SelfCheckOptions,
): SelfCheck | null {
  const repeated = values.filter((list) => list.length >= 2);
  if (repeated.length === 0) return null;
  const random = seededRandom(SEED);
  const isOdd = repeated.some((list) => list.length % 2 === 1);
  const draws = isOdd || repeated.length > 500 ? 1999 : 9999;
  let alarms = 0;
  for (let split = 0; split < SPLITS; split++) {
    const halves = repeated.map((list) => splitOf(list, random));
    const differences = halves.map(({ base, candidate }) => meanOf(candidate) - meanOf(base));
    const unequal = halves.flatMap(({ base, candidate }, at): UnequalPair[] =>
      base.length === candidate.length ? [] : [{ at, base, candidate }],
    );
    if (comparePairs(differences, { ...options, draws }, unequal).verdict === 'regressed') alarms += 1;
  }
  const share = alarms / SPLITS;
  const nominal = options.alpha / 2;
  const chance = 3 * Math.sqrt((nominal * (1 - nominal)) / SPLITS);
  return {
    splits: SPLITS,
    cases: repeated.length,
    varying: repeated.filter((list) => list.some((value) => Math.abs(value - (list[0] as number)) >= 1e-9))
      .length,
    fewest: fewestFlips(options.alpha),
    alarms,
    share,
    nominal,
    criesWolf: share > nominal + chance,
  };
}

/** Two random halves. An odd repetition goes to a random half. */
function splitOf(list: readonly number[], random: () => number) {
  const shuffled = [...list];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [shuffled[i], shuffled[other]] = [shuffled[other] as number, shuffled[i] as number];
  }
  const middle = random() < 0.5 ? Math.floor(list.length / 2) : Math.ceil(list.length / 2);
  return { base: shuffled.slice(0, middle), candidate: shuffled.slice(middle) };
}

function meanOf(list: readonly number[]): number {
  return list.reduce((sum, value) => sum + value, 0) / list.length;
}
