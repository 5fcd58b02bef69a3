import { seededRandom } from '../lib/random.ts';
import { comparePairs } from './paired.ts';
import type { UnequalPair } from './permutation.ts';
import { fewestFlips } from './smallest-change.ts';

/** How often a gate on a regression would have cried wolf. */
export interface SelfCheck {
  readonly splits: number;
  /** Cases with at least 2 measured repetitions. */
  readonly cases: number;
  /** Those of them whose repetitions disagree: only they can differ between the halves. */
  readonly varying: number;
  /** Fewer that vary can never be called a regression, so that no alarm proves nothing. */
  readonly fewest: number;
  /** Splits that were called a regression. */
  readonly alarms: number;
  readonly share: number;
  /** At most this is right: half of the two-sided alpha. */
  readonly nominal: number;
  /** Above the nominal share by more than chance explains. */
  readonly criesWolf: boolean;
}

export interface SelfCheckOptions {
  readonly alpha: number;
  readonly margin: number;
}

const SEED = 20_261;
const SPLITS = 1000;

/** Splits the repetitions of one run at random into two runs that cannot differ; null when no case was repeated. */
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

/** Two halves; which of them has the odd one out is drawn too. */
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
