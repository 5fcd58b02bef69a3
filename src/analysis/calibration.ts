import type { Calibration } from '../core/calibration.ts';
import { wilson, type Interval } from '../lib/wilson.ts';
import { randomGamma } from '../lib/random-gamma.ts';
import { seededRandom } from '../lib/random.ts';

/** The verdicts of a grader and of a person on the same answer. */
export interface Pair {
  /** Case of the answer. Verdicts on one case are similar and count about as one. */
  readonly case: string;
  readonly grader: boolean;
  readonly person: boolean;
}

/** Confusion matrix of a grader and people. `passed` is positive. */
export type Confusion = Pick<Calibration, 'truePasses' | 'falsePasses' | 'trueFails' | 'falseFails'>;

/** A number with its 95 % interval: a share from 0 to 1, or kappa from -1. */
export type Measured = NonNullable<Calibration['kappa']>;

/** Agreement of a grader with people. A member is null if it cannot be computed. */
export type Agreement = Confusion &
  Pick<Calibration, 'pairs' | 'sensitivity' | 'specificity' | 'kappa'> & {
    readonly effective: NonNullable<Calibration['effective']>;
  };

export function agreementOf(pairs: readonly Pair[], seed: number): Agreement {
  const cells = confusionOf(pairs);
  const { truePasses, falsePasses, trueFails, falseFails } = cells;
  const effective = {
    passed: effectiveOf(pairs.filter(({ person }) => person)),
    failed: effectiveOf(pairs.filter(({ person }) => !person)),
  };
  return {
    pairs: pairs.length,
    effective,
    ...cells,
    sensitivity: rateOf(truePasses, truePasses + falseFails, effective.passed),
    specificity: rateOf(trueFails, trueFails + falsePasses, effective.failed),
    kappa: kappaOf(cells, effectiveOf(pairs), seed),
  };
}

/** Effective number of verdicts (Kish): the number of cases if each has equally many, else less. */
export function effectiveOf(pairs: readonly Pick<Pair, 'case'>[]): number {
  const sizes = new Map<string, number>();
  for (const pair of pairs) sizes.set(pair.case, (sizes.get(pair.case) ?? 0) + 1);
  const squares = [...sizes.values()].reduce((sum, size) => sum + size * size, 0);
  return squares === 0 ? 0 : pairs.length ** 2 / squares;
}

function confusionOf(pairs: readonly Pair[]): Confusion {
  const count = (grader: boolean, person: boolean): number =>
    pairs.filter((pair) => pair.grader === grader && pair.person === person).length;
  return {
    truePasses: count(true, true),
    falsePasses: count(true, false),
    trueFails: count(false, false),
    falseFails: count(false, true),
  };
}

/** Cohen's kappa of four counts. Null if both gave the same single verdict throughout. */
export function kappaValue({ truePasses, falsePasses, trueFails, falseFails }: Confusion): number | null {
  const total = truePasses + falsePasses + trueFails + falseFails;
  if (total === 0) return null;
  const observed = (truePasses + trueFails) / total;
  const graderPasses = (truePasses + falsePasses) / total;
  const personPasses = (truePasses + falseFails) / total;
  const expected = graderPasses * personPasses + (1 - graderPasses) * (1 - personPasses);
  return expected === 1 ? null : (observed - expected) / (1 - expected);
}

const DRAWS = 4000;

/** Counts added to each cell before drawing, which is the value with the truest coverage in simulations. */
const PRIOR = 0.4;

/**
 * Kappa with an interval of draws from the posterior of its four cells. So neither perfect agreement on few labels
 * nor many labels of one case look certain.
 */
function kappaOf(cells: Confusion, effective: number, seed: number): Measured | null {
  const value = kappaValue(cells);
  const hasBoth = cells.truePasses + cells.falseFails > 0 && cells.trueFails + cells.falsePasses > 0;
  if (value === null || !hasBoth) return null;
  const random = seededRandom(seed);
  const draws = Array.from(
    { length: DRAWS },
    () => kappaValue(drawnCells(cells, effective, random)) ?? value,
  );
  const ascending = draws.toSorted((left, right) => left - right);
  const at = (share: number): number => ascending[Math.floor(share * (ascending.length - 1))] ?? value;
  return { value, lower: Math.min(value, at(0.025)), upper: Math.max(value, at(0.975)) };
}

/** Four likely proportions, not scaled to 1. One verdict is taken off, as a degree of freedom. */
function drawnCells(cells: Confusion, effective: number, random: () => number): Confusion {
  const total = cells.truePasses + cells.falsePasses + cells.trueFails + cells.falseFails;
  const drawn = (count: number): number => randomGamma((count / total) * (effective - 1) + PRIOR, random);
  return {
    truePasses: drawn(cells.truePasses),
    falsePasses: drawn(cells.falsePasses),
    trueFails: drawn(cells.trueFails),
    falseFails: drawn(cells.falseFails),
  };
}

/** A rate as counted by a grader, and corrected to the verdicts of people, both with 95 % intervals. */
export interface Corrected extends Measured {
  readonly observed: number;
  readonly observedInterval: Interval;
}

/** The counts of a grader in a run. */
export interface FoundRate {
  readonly hits: number;
  readonly trials: number;
  /** Effective number of independent trials. Absent: all trials are independent. */
  readonly effective?: number;
}

const Z = 1.959963984540054;

/**
 * The rate that people would have found, from the counts and the reliability of a grader (Rogan and Gladen), with an
 * interval for the uncertainty of both (Lang and Reiczigel). Null if the grader is no better than chance.
 */
export function correctedRate(
  found: FoundRate,
  { truePasses, falsePasses, trueFails, falseFails, effective }: Confusion & Pick<Calibration, 'effective'>,
): Corrected | null {
  const independent = found.effective ?? found.trials;
  const observedInterval = wilsonOf(found.hits, found.trials, independent);
  const [positives, negatives] = [truePasses + falseFails, trueFails + falsePasses];
  if (observedInterval === null || positives === 0 || negatives === 0) return null;
  const [sensitivity, specificity] = [truePasses / positives, trueFails / negatives];
  const observed = found.hits / found.trials;
  const rate = smoothed(observed, independent, Z ** 2);
  const se = smoothed(sensitivity, effective?.passed ?? positives, 2);
  const sp = smoothed(specificity, effective?.failed ?? negatives, 2);
  const gain = se.value + sp.value - 1;
  if (sensitivity + specificity <= 1 || gain <= 0) return null;
  const middle = (rate.value + sp.value - 1) / gain;
  const shift = 2 * Z ** 2 * (middle * varianceOf(se) - (1 - middle) * varianceOf(sp));
  const doubt = varianceOf(rate) + middle ** 2 * varianceOf(se) + (1 - middle) ** 2 * varianceOf(sp);
  const half = (Z * Math.sqrt(doubt)) / gain;
  const value = clipped((observed + specificity - 1) / (sensitivity + specificity - 1));
  return {
    observed,
    observedInterval,
    value,
    lower: Math.min(value, clipped(middle + shift - half)),
    upper: Math.max(value, clipped(middle + shift + half)),
  };
}

/** A share with its 95 % Wilson interval, for an effective number of trials. */
export function rateOf(hits: number, trials: number, effective: number): Measured | null {
  const interval = wilsonOf(hits, trials, effective);
  return interval === null ? null : { value: hits / trials, ...interval };
}

/** Wilson interval with an effective number of trials. */
function wilsonOf(hits: number, trials: number, effective: number): Interval | null {
  if (trials === 0 || effective === trials) return wilson(hits, trials);
  return wilson(hits === trials ? effective : (hits / trials) * effective, effective);
}

/** A share with `added` more trials, half of them hits. */
function smoothed(share: number, trials: number, added: number): { trials: number; value: number } {
  return { trials: trials + added, value: (share * trials + added / 2) / (trials + added) };
}

function varianceOf({ trials, value }: { readonly trials: number; readonly value: number }): number {
  return (value * (1 - value)) / trials;
}

function clipped(value: number): number {
  return Math.min(1, Math.max(0, value));
}
