import { casesToDetect, smallestChange, type Noise } from './smallest-change.ts';

/** What so many repetitions of each case need. */
export interface SampleSize {
  readonly repetitions: number;
  /** Cases, when the change moves every case by as much. */
  readonly casesIfAlike: number;
  /** Cases, when the change makes a few cases pass or fail altogether: the safe number. */
  readonly cases: number;
  /** Trials of one side, for the safe number. */
  readonly trials: number;
  /** The smallest change of a few cases that those there are now show; null: none at all. */
  readonly smallestNow: number | null;
  /** The same of a change that moves every case by as much. */
  readonly smallestNowIfAlike: number | null;
}

export interface SamplePlan {
  /** Of the repetitions of one case; an upper bound where none was repeated. */
  readonly variance: number;
  readonly isUpperBound: boolean;
  readonly sizes: readonly SampleSize[];
}

export interface SampleRequest {
  /** The difference to be seen, 0..1. */
  readonly detect: number;
  readonly alpha: number;
  /** Cases there are. */
  readonly cases: number;
}

const REPETITIONS = [1, 2, 3, 5, 10];

/** Of anything from 0 to 1. */
const MOST_VARIANCE = 1 / 4;

/** Plans a comparison of two runs from what the repetitions of a stored one came to; null when nothing was measured. */
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

/** Pooled over the cases; null when none was measured twice. */
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
