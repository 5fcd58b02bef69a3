import type { Manifest } from '../core/run.ts';
import type { Difficulty, DifficultyWeights } from '../core/test-case.ts';
import { passRate, type PassRate } from '../core/totals.ts';
import { round9 } from '../lib/text/decimals.ts';
import { oneLine } from '../lib/text/terminal-text.ts';
import type { CaseTally } from './case-counts.ts';
import { plural } from '../lib/text/plural.ts';
import { percentText, shareText } from './phrases.ts';

/** The mean over measured cases, each counting once however often it was repeated. */
export interface CaseRate {
  readonly value: number | null;
  readonly cases: number;
}

/** Trials and cases of one kind. */
export interface GroupRate {
  readonly passRate: PassRate;
  readonly casePassRate: CaseRate;
}

export interface CaseRates {
  readonly casePassRate: CaseRate;
  /** Each case weighed by its difficulty; only where the weights differ. */
  readonly weightedPassRate?: CaseRate & { readonly weights: DifficultyWeights };
  /** Of stored cases. */
  readonly byDifficulty?: Readonly<Partial<Record<Difficulty, GroupRate>>>;
  /** Of cases that have tags. */
  readonly byTag?: Readonly<Record<string, GroupRate>>;
}

/** What cases of each difficulty count for in a run. */
export function weightsOf({ settings }: Pick<Manifest, 'settings'>): DifficultyWeights | undefined {
  return settings['difficultyWeights'] as DifficultyWeights | undefined;
}

/** What stands beside the rate of trials: the rate of cases, weighed by difficulty, and by difficulty and tag. */
export function caseRateTexts({
  casePassRate,
  weightedPassRate,
  byDifficulty,
  byTag,
}: CaseRates): readonly string[] {
  // Only stored cases have a difficulty.
  if (byDifficulty === undefined) return [];
  const { normal, hard } = weightedPassRate?.weights ?? {};
  const cases = plural(casePassRate.cases, 'case');
  const weighed =
    weightedPassRate === undefined
      ? ''
      : `, ${percentText(weightedPassRate.value)} weighed by difficulty (normal ${normal}, hard ${hard})`;
  return [
    ...(casePassRate.cases === 0 ? [] : [`over ${cases}: ${percentText(casePassRate.value)}${weighed}`]),
    `by difficulty: ${groupsText(byDifficulty)}`,
    ...(byTag === undefined ? [] : [`by tag: ${groupsText(byTag)}`]),
  ];
}

const MOST_GROUPS = 12;

function groupsText(groups: Readonly<Record<string, GroupRate>>): string {
  const all = Object.entries(groups);
  const shown = all
    .slice(0, MOST_GROUPS)
    .map(([name, { passRate: rate }]) =>
      rate.measured === 0
        ? `${oneLine(name, 60)} nothing measured`
        : `${oneLine(name, 60)} ${shareText(rate)} = ${percentText(rate.value)}`,
    );
  const more = all.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

interface Group {
  passed: number;
  failed: number;
  errored: number;
  /** Of the rates of measured cases. */
  sum: number;
  cases: number;
}

/** Of all cases of a run, and of those of each target. */
export interface RatesOfCases {
  readonly total: CaseRates;
  readonly byTarget: ReadonlyMap<string, CaseRates>;
}

interface Grouped {
  readonly all: Group;
  readonly difficulties: Map<Difficulty, Group>;
  readonly tags: Map<string, Group>;
}

/** The rates of cases over their repetitions; each case is looked at once. */
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
    ...(weighs ? { weightedPassRate: weighted(difficulties, weights) } : {}),
    ...(difficulties.size === 0 ? {} : { byDifficulty: ratesOf(difficulties) }),
    ...(tags.size === 0 ? {} : { byTag: ratesOf(tags) }),
  };
}

function emptyGroups(): Grouped {
  return { all: emptyGroup(), difficulties: new Map(), tags: new Map() };
}

function emptyGroup(): Group {
  return { passed: 0, failed: 0, errored: 0, sum: 0, cases: 0 };
}

function groupOf<Key>(groups: Map<Key, Group>, key: Key): Group {
  const known = groups.get(key) ?? emptyGroup();
  groups.set(key, known);
  return known;
}

function count(group: Group, counts: Pick<Group, 'passed' | 'failed' | 'errored'>): void {
  group.passed += counts.passed;
  group.failed += counts.failed;
  group.errored += counts.errored;
  const measured = counts.passed + counts.failed;
  if (measured === 0) return;
  group.sum += counts.passed / measured;
  group.cases += 1;
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
        passRate: passRate(group, (group.passed + group.failed) / Math.max(1, group.cases)),
        casePassRate: caseRate(group),
      },
    ]),
  ) as Record<Key, GroupRate>;
}
