import { casesToDetect, smallestChange, type Noise } from './smallest-change.ts';

/** The sample size for a number of repetitions per case. */
export interface SampleSize {
  readonly repetitions: number;
  /** Cases needed if the change affects every case equally. */
  readonly casesIfAlike: number;
  /** Cases needed if the change makes a few cases pass or fail completely: the safe number. */
  readonly cases: number;
  /** Trials per side for the safe number. */
  readonly trials: number;
  /** The smallest change of a few cases that the existing cases show. Null: no change. */
  readonly smallestNow: number | null;
  /** The same for a change that affects every case equally. */
  readonly smallestNowIfAlike: number | null;
}

export interface SamplePlan {
  /** Variance between repetitions of one case. An upper bound without repetitions. */
  readonly variance: number;
  readonly isUpperBound: boolean;
  readonly sizes: readonly SampleSize[];
}

export interface SampleRequest {
  /** The difference to detect, 0..1. */
  readonly detect: number;
  readonly alpha: number;
  /** Number of existing cases. */
  readonly cases: number;
}

const REPETITIONS = [1, 2, 3, 5, 10];

/** Largest variance of a value from 0 to 1. */
const MOST_VARIANCE = 1 / 4;

/** Plans a comparison of two runs from the repetitions of a stored run. Null if nothing was measured. */
export function planSampleSize(
  values: readonly (readonly number[])[],
  { detect, alpha, cases: now }: SampleRequest,
): SamplePlan | null {
  if (values.length === 0) return null;
  const within = withinVariance(values);
  const all = values.flat();
  const variance = within ?? (all.length < 2 ? MOST_VARIANCE : varianceOf(all));
  const sizes = REPETITIONS.map((repetitions): SampleSize => {
    const alike: Noise = { variance: (2 * variance) / repetitions, flipSize: 0, areFlips: false };
    const flips: Noise = { ...alike, flipSize: 1, areFlips: true };
    const cases = casesToDetect(detect, flips, alpha);
    return {
      repetitions,
      casesIfAlike: casesToDetect(detect, alike, alpha),
      cases,
      trials: cases * repetitions,
      smallestNow: smallestChange(now, flips, alpha),
      smallestNowIfAlike: smallestChange(now, alike, alpha),
    };
  });
  return { variance, isUpperBound: within === null, sizes };
}

/** Variance pooled over the cases. Null if no case was measured twice. */
function withinVariance(values: readonly (readonly number[])[]): number | null {
  let squares = 0;
  let freedom = 0;
  for (const list of values) {
    squares += varianceOf(list) * (list.length - 1);
    freedom += list.length - 1;
  }
  return freedom === 0 ? null : squares / freedom;
}

function varianceOf(list: readonly number[]): number {
  if (list.length < 2) return 0;
  const mean = list.reduce((sum, value) => sum + value, 0) / list.length;
  return list.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (list.length - 1);
}
