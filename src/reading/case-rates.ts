import type { Manifest } from '../core/manifest.ts';
import type { Difficulty, DifficultyWeights } from '../core/test-case.ts';
import { round9 } from '../lib/text/decimals.ts';
import { wilson } from '../lib/wilson.ts';
import { passRate, type PassRate } from './totals.ts';
import type { CaseTally } from './case-counts.ts';

/** The mean over measured cases. Each case counts once, regardless of its repetitions. */
export interface CaseRate {
  readonly value: number | null;
  readonly cases: number;
}

/** The rates of a group of cases, such as those with one tag. */
export interface GroupRate {
  readonly passRate: PassRate;
  readonly casePassRate: CaseRate;
}

/** Flaky cases (both passed and failed) among those with this many measured repetitions. */
export interface FlakeRate {
  readonly repetitions: number;
  readonly cases: number;
  readonly flaky: number;
  readonly value: number;
}

export interface CaseRates {
  readonly casePassRate: CaseRate;
  /** Present only if cases have different numbers of repetitions: means over cases, which replace those over trials. */
  readonly eachCaseOnce?: { readonly passRate: PassRate; readonly score: number | null };
  /** By number of measured repetitions. Present only if cases were repeated. */
  readonly flakeRates?: readonly FlakeRate[];
  /** Cases weighted by difficulty. Present only if the weights differ. */
  readonly weightedPassRate?: CaseRate & { readonly weights: DifficultyWeights };
  /** Only of stored cases. */
  readonly byDifficulty?: Readonly<Partial<Record<Difficulty, GroupRate>>>;
  /** Only of cases that have tags. */
  readonly byTag?: Readonly<Record<string, GroupRate>>;
}

/** The weight of each difficulty in a run. */
export function weightsOf({ settings }: Pick<Manifest, 'settings'>): DifficultyWeights | undefined {
  return settings.difficultyWeights;
}

interface Group {
  passed: number;
  failed: number;
  errored: number;
  /** Sum of the rates of measured cases. */
  sum: number;
  cases: number;
  /** Fewest and most repetitions of a case. */
  least: number;
  most: number;
  /** Number of tried cases, and the sums of their rates if all errored trials had failed, or had passed. */
  readonly tried: { cases: number; failed: number; passed: number };
  /** Count and sum of the mean scores of cases. */
  readonly scores: { n: number; sum: number };
  /** Number of cases by measured repetitions, from 2. */
  readonly repeated: Map<number, { cases: number; flaky: number }>;
}

/** Rates of all cases of a run, and of each target. */
export interface RatesOfCases {
  readonly total: CaseRates;
  readonly byTarget: ReadonlyMap<string, CaseRates>;
}

interface Grouped {
  readonly all: Group;
  readonly difficulties: Map<Difficulty, Group>;
  readonly tags: Map<string, Group>;
}

/** The rates of cases over their repetitions, computed in one pass. */
export function caseRatesOf(
  cases: Iterable<CaseTally>,
  weights: DifficultyWeights | undefined,
): RatesOfCases {
  const total = emptyGroups();
  const targets = new Map<string, Grouped>();
  for (const tally of cases) {
    const own = targets.get(tally.target) ?? emptyGroups();
    targets.set(tally.target, own);
    addTo(total, tally);
    addTo(own, tally);
  }
  return {
    total: ratesIn(total, weights),
    byTarget: new Map([...targets].map(([name, grouped]) => [name, ratesIn(grouped, weights)])),
  };
}

function addTo({ all, difficulties, tags }: Grouped, tally: CaseTally): void {
  const { difficulty, tags: names } = tally.labels;
  count(all, tally);
  for (const tag of names) count(groupOf(tags, tag), tally);
  if (difficulty !== undefined) count(groupOf(difficulties, difficulty), tally);
}

function ratesIn({ all, difficulties, tags }: Grouped, weights: DifficultyWeights | undefined): CaseRates {
  const weighs = weights !== undefined && weights.normal !== weights.hard && difficulties.size > 0;
  return {
    casePassRate: caseRate(all),
    ...(all.least < all.most ? { eachCaseOnce: { passRate: rateOf(all), score: scoreOf(all) } } : {}),
    ...(all.repeated.size === 0 ? {} : { flakeRates: flakesOf(all) }),
    ...(weighs ? { weightedPassRate: weighted(difficulties, weights) } : {}),
    ...(difficulties.size === 0 ? {} : { byDifficulty: ratesOf(difficulties) }),
    ...(tags.size === 0 ? {} : { byTag: ratesOf(tags) }),
  };
}

function emptyGroups(): Grouped {
  return { all: emptyGroup(), difficulties: new Map(), tags: new Map() };
}

function emptyGroup(): Group {
  return {
    passed: 0,
    failed: 0,
    errored: 0,
    sum: 0,
    cases: 0,
    least: Infinity,
    most: 0,
    tried: { cases: 0, failed: 0, passed: 0 },
    scores: { n: 0, sum: 0 },
    repeated: new Map(),
  };
}

function groupOf<Key>(groups: Map<Key, Group>, key: Key): Group {
  const known = groups.get(key) ?? emptyGroup();
  groups.set(key, known);
  return known;
}

function count(group: Group, counts: CaseTally): void {
  group.passed += counts.passed;
  group.failed += counts.failed;
  group.errored += counts.errored;
  const measured = counts.passed + counts.failed;
  const tried = measured + counts.errored;
  if (tried > 0) {
    group.least = Math.min(group.least, counts.trials);
    group.most = Math.max(group.most, counts.trials);
    group.tried.cases += 1;
    group.tried.failed += counts.passed / tried;
    group.tried.passed += (counts.passed + counts.errored) / tried;
  }
  if (counts.score.n > 0) {
    group.scores.n += 1;
    group.scores.sum += counts.score.sum / counts.score.n;
  }
  if (measured === 0) return;
  group.sum += counts.passed / measured;
  group.cases += 1;
  if (measured < 2) return;
  const alike = group.repeated.get(measured) ?? { cases: 0, flaky: 0 };
  group.repeated.set(measured, alike);
  alike.cases += 1;
  if (counts.passed > 0 && counts.failed > 0) alike.flaky += 1;
}

/** If cases have different numbers of repetitions, the mean of the rates of cases. */
function rateOf(group: Group): PassRate {
  const { passed, failed, sum, cases, least, most, tried } = group;
  const rate = passRate(group, (passed + failed) / Math.max(1, cases));
  if (least >= most || cases === 0) return rate;
  return {
    ...rate,
    value: round9(sum / cases),
    ifErroredFailed: round9(tried.failed / tried.cases),
    ifErroredPassed: round9(tried.passed / tried.cases),
    interval: wilson(sum, cases),
    meanOfCases: cases,
  };
}

function scoreOf({ scores: { n, sum } }: Group): number | null {
  return n === 0 ? null : round9(sum / n);
}

function flakesOf({ repeated }: Group): readonly FlakeRate[] {
  return [...repeated]
    .toSorted(([one], [other]) => one - other)
    .map(([repetitions, { cases, flaky }]) => ({ repetitions, cases, flaky, value: round9(flaky / cases) }));
}

function caseRate({ sum, cases }: Pick<Group, 'sum' | 'cases'>): CaseRate {
  return { value: cases === 0 ? null : round9(sum / cases), cases };
}

/** sum(weight * rate) / sum(weight) over measured cases. */
function weighted(groups: ReadonlyMap<Difficulty, Group>, weights: DifficultyWeights) {
  let [sum, weight, cases] = [0, 0, 0];
  for (const [difficulty, group] of groups) {
    sum += weights[difficulty] * group.sum;
    weight += weights[difficulty] * group.cases;
    cases += group.cases;
  }
  return { value: weight === 0 ? null : round9(sum / weight), cases, weights };
}

function ratesOf<Key extends string>(groups: ReadonlyMap<Key, Group>): Readonly<Record<Key, GroupRate>> {
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([key, group]) => [
      key,
      {
        passRate: rateOf(group),
        casePassRate: caseRate(group),
      },
    ]),
  ) as Record<Key, GroupRate>;
}
