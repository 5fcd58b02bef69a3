import type { PairedResult } from '../core/run-comparison.ts';
import { given } from '../lib/given.ts';
import { randomNormal } from '../lib/random-gamma.ts';
import { seededRandom } from '../lib/random.ts';
import { clopperPearson } from './clopper-pearson.ts';
import { holmLevels } from './holm-levels.ts';
import { comparePairs } from './paired.ts';

/** The design of a typical pair of runs. */
export interface Design {
  readonly measure: keyof typeof measures;
  readonly cases: number;
  /** Repetitions per case, on the base side and on the candidate's. */
  readonly repetitions: readonly [number, number];
  /** Number of random patterns. Absent: 1999 for unequal repetitions, else the default. */
  readonly draws?: number;
}

/** Draws the pass rate or mean score of a case, and one repetition of it. */
interface Measure {
  level(random: () => number): number;
  draw(level: number, random: () => number): number;
}

const flip = (level: number, random: () => number) => (random() < level ? 1 : 0);

const measures = {
  'pass or fail, mixed': { level: (random) => 0.1 + 0.9 * random(), draw: flip },
  'pass or fail, mostly passing': { level: (random) => 1 - 0.1 * random(), draw: flip },
  score: {
    level: (random) => 0.3 + 0.5 * random(),
    draw: (level, random) => level + 0.15 * randomNormal(random),
  },
  // Most scores are near 1 and a few far below.
  'score, skewed': {
    level: () => 0.9,
    draw: (level, random) => level + 0.1 + 0.1 * Math.log(1 - random()),
  },
  // Four equal checks, one of which fails occasionally.
  'score, steps': {
    level: () => 0.99,
    draw: (level, random) => (random() < 4 * (1 - level) ? 0.75 : 1),
  },
} satisfies Readonly<Record<string, Measure>>;

export const designs: readonly Design[] = [
  { measure: 'pass or fail, mixed', cases: 10, repetitions: [1, 1] },
  { measure: 'pass or fail, mixed', cases: 20, repetitions: [1, 1] },
  { measure: 'pass or fail, mostly passing', cases: 40, repetitions: [1, 1] },
  { measure: 'pass or fail, mixed', cases: 100, repetitions: [1, 1] },
  { measure: 'pass or fail, mostly passing', cases: 400, repetitions: [1, 1] },
  { measure: 'pass or fail, mixed', cases: 20, repetitions: [5, 5] },
  { measure: 'pass or fail, mixed', cases: 50, repetitions: [10, 10] },
  { measure: 'pass or fail, mostly passing', cases: 100, repetitions: [5, 5] },
  { measure: 'score', cases: 12, repetitions: [3, 3] },
  { measure: 'score', cases: 30, repetitions: [1, 1] },
  { measure: 'score', cases: 100, repetitions: [5, 5] },
  { measure: 'score, skewed', cases: 60, repetitions: [5, 3] },
  { measure: 'pass or fail, mixed', cases: 20, repetitions: [1, 10] },
  { measure: 'pass or fail, mostly passing', cases: 20, repetitions: [1, 10] },
  { measure: 'pass or fail, mostly passing', cases: 100, repetitions: [1, 10] },
  { measure: 'pass or fail, mostly passing', cases: 40, repetitions: [10, 1] },
  { measure: 'score, skewed', cases: 20, repetitions: [1, 10] },
];

/** Designs with enough cases to be called equivalent. */
export const equivalenceDesigns: readonly Design[] = [
  { measure: 'pass or fail, mostly passing', cases: 40, repetitions: [1, 1] },
  { measure: 'pass or fail, mostly passing', cases: 100, repetitions: [1, 1] },
  { measure: 'pass or fail, mostly passing', cases: 400, repetitions: [1, 1] },
  { measure: 'pass or fail, mostly passing', cases: 100, repetitions: [5, 5] },
  { measure: 'pass or fail, mostly passing', cases: 200, repetitions: [5, 5] },
  { measure: 'score', cases: 30, repetitions: [1, 1] },
  { measure: 'score', cases: 100, repetitions: [5, 5] },
  { measure: 'score', cases: 300, repetitions: [1, 1] },
  { measure: 'score, skewed', cases: 150, repetitions: [5, 3] },
  { measure: 'score, steps', cases: 80, repetitions: [1, 1] },
  { measure: 'score, steps', cases: 150, repetitions: [1, 1] },
];

const OPTIONS = { alpha: 0.05, margin: 0.05 };

/** Share of pairs without a change that were called changed. */
export function falseAlarms(design: Design, pairs: number): number {
  const random = seededRandom(1);
  let alarms = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const { verdict } = simulated(design, random);
    if (verdict !== 'equivalent' && verdict !== 'inconclusive') alarms += 1;
  }
  return alarms / pairs;
}

/** The same for unequal repetitions, if only signs were flipped. */
export function falseAlarmsBySigns(design: Design, pairs: number): number {
  const random = seededRandom(1);
  let alarms = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const { p } = comparePairs(differencesOf(drawn(design, random)), OPTIONS);
    if (p < OPTIONS.alpha) alarms += 1;
  }
  return alarms / pairs;
}

/** Share of runs with at least one of several unchanged targets called changed: without and with correction. */
export function anyOfSeveral(
  design: Design,
  targets: number,
  tries: number,
): { alone: number; together: number } {
  const random = seededRandom(4);
  let [alone, together] = [0, 0];
  for (let each = 0; each < tries; each++) {
    const ps = Array.from({ length: targets }, () => simulated(design, random).p);
    const levels = holmLevels(ps, OPTIONS.alpha);
    if (ps.some((p) => p < OPTIONS.alpha)) alone += 1;
    if (ps.some((p, i) => p < (levels[i] ?? 0))) together += 1;
  }
  return { alone: alone / tries, together: together / tries };
}

/** Share of unchanged agents called improved if only failed cases are run again. */
export function failedAgain(design: Design, tries: number): number {
  const random = seededRandom(5);
  const measure: Measure = measures[design.measure];
  let improved = 0;
  for (let each = 0; each < tries; each++) {
    const levels = Array.from({ length: design.cases }, () => measure.level(random));
    const failed = levels.filter((level) => measure.draw(level, random) === 0);
    const differences = failed.map((level) => measure.draw(level, random));
    if (failed.length > 0 && comparePairs(differences, OPTIONS).verdict === 'improved') improved += 1;
  }
  return improved / tries;
}

/** Share of planted drops called a regression. A drop is `times` the smallest change that an unchanged pair reported. */
export function found(design: Design, pairs: number, times: number): { share: number; planted: number } {
  const random = seededRandom(2);
  let planted = 0;
  let regressed = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const seen = simulated(design, random).smallestSeen;
    // A planted drop cannot exceed the pass rate of the cases.
    if (seen === null || times * seen > 0.55) continue;
    planted += 1;
    if (simulated(design, random, { evenly: times * seen }).verdict === 'regressed') regressed += 1;
  }
  return { share: regressed / planted, planted: planted / pairs };
}

/** How a true decrease as large as the margin is made: every case decreases a little, or a few drop to 0. */
export type Fall = 'every case' | 'a few cases';

/** Share of pairs called equivalent: without a change, or with a decrease as large as the margin. */
export function calledEquivalent(design: Design, pairs: number, fall: Fall | 'none'): number {
  const random = seededRandom(3);
  let called = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const drop =
      fall === 'none' ? {} : fall === 'every case' ? { evenly: OPTIONS.margin } : { wholly: OPTIONS.margin };
    if (simulated(design, random, drop).verdict === 'equivalent') called += 1;
  }
  return called / pairs;
}

/** Lowest coverage of the two-sided 95 % interval over a grid of true rates, by enumeration of all outcomes. */
export function leastCoverage(trials: number): { coverage: number; rate: number } {
  const intervals = Array.from({ length: trials + 1 }, (_, hits) => clopperPearson(hits, trials));
  let least = { coverage: 1, rate: 0 };
  for (let step = 1; step < 1000; step++) {
    const rate = step / 1000;
    let coverage = 0;
    let chance = (1 - rate) ** trials;
    for (const [hits, interval] of intervals.entries()) {
      if (interval !== null && interval.lower <= rate && rate <= interval.upper) coverage += chance;
      chance *= ((trials - hits) / (hits + 1)) * (rate / (1 - rate));
    }
    if (coverage < least.coverage) least = { coverage, rate };
  }
  return least;
}

/** The mean decrease of a candidate. */
interface Drop {
  /** A small decrease in every case. */
  readonly evenly?: number;
  /** Some cases drop to 0. */
  readonly wholly?: number;
}

function simulated(design: Design, random: () => number, drop: Drop = {}): PairedResult {
  return compared(drawn(design, random, drop), design.draws);
}

/** The trials of a random pair of runs, by case. */
function drawn(design: Design, random: () => number, { evenly = 0, wholly = 0 }: Drop = {}): Sides {
  const { cases, repetitions } = design;
  const measure: Measure = measures[design.measure];
  const levels = several(cases, () => measure.level(random));
  const mean = meanOf(levels);
  // A probability cannot drop below 0, so it decreases proportionally.
  const after = (level: number) => (measure.draw === flip ? level * (1 - evenly / mean) : level - evenly);
  return levels.map((level) => {
    const isLost = wholly > 0 && random() < wholly / mean;
    const base = several(repetitions[0], () => measure.draw(level, random));
    const candidate = several(repetitions[1], () => (isLost ? 0 : measure.draw(after(level), random)));
    return { base, candidate };
  });
}

/** Many times as fast as `Array.from` with a length. */
function several(count: number, draw: () => number): readonly number[] {
  const all = [];
  for (let each = 0; each < count; each++) all.push(draw());
  return all;
}

type Sides = readonly { readonly base: readonly number[]; readonly candidate: readonly number[] }[];

function compared(sides: Sides, draws?: number): PairedResult {
  const differences = differencesOf(sides);
  const unequal = sides.flatMap(({ base, candidate }, at) =>
    base.length === candidate.length ? [] : [{ at, base, candidate }],
  );
  const some = draws ?? (unequal.length === 0 ? undefined : 1999);
  return comparePairs(differences, { ...OPTIONS, ...given({ draws: some }) }, unequal);
}

function differencesOf(sides: Sides): readonly number[] {
  return sides.map(({ base, candidate }) => meanOf(candidate) - meanOf(base));
}

function meanOf(list: readonly number[]): number {
  let sum = 0;
  for (const value of list) sum += value;
  return sum / list.length;
}
