import { wilson, type Interval } from '../core/totals.ts';
import { seededRandom } from '../lib/random.ts';

/** One verdict of a grader beside that of a person. */
export interface Pair {
  readonly grader: boolean;
  readonly person: boolean;
}

/** How often a grader and a person said what; `passed` is what counts as positive. */
export interface Confusion {
  readonly truePasses: number;
  readonly falsePasses: number;
  readonly trueFails: number;
  readonly falseFails: number;
}

/** A number with its 95 % interval: a share from 0 to 1, or kappa from -1. */
export interface Measured {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** How far a grader agrees with people; null where nothing can be said. */
export interface Agreement extends Confusion {
  readonly pairs: number;
  /** Of what people passed, the share the grader passed. */
  readonly sensitivity: Measured | null;
  /** Of what people failed, the share the grader failed. */
  readonly specificity: Measured | null;
  /** Cohen's kappa: agreement beyond what chance would give. */
  readonly kappa: Measured | null;
}

export function agreementOf(pairs: readonly Pair[], seed: number): Agreement {
  const cells = confusionOf(pairs);
  const { truePasses, falsePasses, trueFails, falseFails } = cells;
  return {
    pairs: pairs.length,
    ...cells,
    sensitivity: rateOf(truePasses, truePasses + falseFails),
    specificity: rateOf(trueFails, trueFails + falsePasses),
    kappa: kappaOf(cells, seed),
  };
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

/** Cohen's kappa of four counts; null where both said one and the same thing throughout. */
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

/**
 * Kappa with a bootstrap interval. Half a count is added to each cell before it is drawn from, so that perfect
 * agreement on few labels does not look certain.
 */
function kappaOf(cells: Confusion, seed: number): Measured | null {
  const value = kappaValue(cells);
  const hasBoth = cells.truePasses + cells.falseFails > 0 && cells.trueFails + cells.falsePasses > 0;
  if (value === null || !hasBoth) return null;
  const random = seededRandom(seed);
  const draws: number[] = [];
  for (let draw = 0; draw < DRAWS; draw++) {
    const kappa = kappaValue(resampled(cells, random));
    if (kappa !== null) draws.push(kappa);
  }
  const ascending = draws.toSorted((left, right) => left - right);
  const at = (share: number): number => ascending[Math.floor(share * (ascending.length - 1))] ?? value;
  return { value, lower: Math.min(value, at(0.025)), upper: Math.max(value, at(0.975)) };
}

function resampled(cells: Confusion, random: () => number): Confusion {
  const counts = [cells.truePasses, cells.falsePasses, cells.trueFails, cells.falseFails];
  const total = counts.reduce((sum, count) => sum + count, 0);
  const drawn = [0, 0, 0, 0];
  for (let i = 0; i < total; i++) {
    let left = random() * (total + 2);
    const cell = counts.findIndex((count) => (left -= count + 0.5) < 0);
    drawn[cell] = (drawn[cell] ?? 0) + 1;
  }
  const [truePasses = 0, falsePasses = 0, trueFails = 0, falseFails = 0] = drawn;
  return { truePasses, falsePasses, trueFails, falseFails };
}

/** A rate as a grader counted it and as people would have found it; both with 95 % intervals. */
export interface Corrected extends Measured {
  readonly observed: number;
  readonly observedInterval: Interval;
}

const Z = 1.959963984540054;

/**
 * The rate people would have found, from what a grader found and how far it can be trusted (Rogan and Gladen), with an
 * interval that carries the doubt about both (Lang and Reiczigel); null where the grader is no better than a coin.
 */
export function correctedRate(
  found: { readonly hits: number; readonly trials: number },
  { truePasses, falsePasses, trueFails, falseFails }: Confusion,
): Corrected | null {
  const observedInterval = wilson(found.hits, found.trials);
  const [positives, negatives] = [truePasses + falseFails, trueFails + falsePasses];
  if (observedInterval === null || positives === 0 || negatives === 0) return null;
  const [sensitivity, specificity] = [truePasses / positives, trueFails / negatives];
  const rate = { trials: found.trials + Z ** 2, value: (found.hits + Z ** 2 / 2) / (found.trials + Z ** 2) };
  const se = { trials: positives + 2, value: (truePasses + 1) / (positives + 2) };
  const sp = { trials: negatives + 2, value: (trueFails + 1) / (negatives + 2) };
  const gain = se.value + sp.value - 1;
  if (sensitivity + specificity <= 1 || gain <= 0) return null;
  const middle = (rate.value + sp.value - 1) / gain;
  const shift = 2 * Z ** 2 * (middle * varianceOf(se) - (1 - middle) * varianceOf(sp));
  const doubt = varianceOf(rate) + middle ** 2 * varianceOf(se) + (1 - middle) ** 2 * varianceOf(sp);
  const half = (Z * Math.sqrt(doubt)) / gain;
  const observed = found.hits / found.trials;
  const value = clipped((observed + specificity - 1) / (sensitivity + specificity - 1));
  return {
    observed,
    observedInterval,
    value,
    lower: Math.min(value, clipped(middle + shift - half)),
    upper: Math.max(value, clipped(middle + shift + half)),
  };
}

function rateOf(hits: number, trials: number): Measured | null {
  const interval = wilson(hits, trials);
  return interval === null ? null : { value: hits / trials, ...interval };
}

function varianceOf({ trials, value }: { readonly trials: number; readonly value: number }): number {
  return (value * (1 - value)) / trials;
}

function clipped(value: number): number {
  return Math.min(1, Math.max(0, value));
}
