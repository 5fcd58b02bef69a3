import type { ReviewerPair } from '../core/calibration.ts';
import { agreementOf, effectiveOf, rateOf, type Pair } from './calibration.ts';

/** The verdict of one person. */
export interface ReviewerVerdict {
  readonly by: string;
  /** Trial and expectation, or the whole trial. One verdict per person counts. */
  readonly on: string;
  /** Verdicts on one case are similar and count about as one. */
  readonly case: string;
  readonly passed: boolean;
}

/** Each pair costs a bootstrap. */
const MOST_PAIRS = 20;

/** The pairs of people with the most verdicts on the same, at most 20. */
export function reviewerAgreements(verdicts: readonly ReviewerVerdict[], seed = 1): readonly ReviewerPair[] {
  return [...commonVerdicts(verdicts)]
    .toSorted(([one, ones], [other, others]) => others.pairs.length - ones.pairs.length || order(one, other))
    .slice(0, MOST_PAIRS)
    .map(([, { reviewers, pairs }]) => agreementOfTwo(reviewers, pairs, seed));
}

interface Common {
  readonly reviewers: readonly [string, string];
  /** The first person takes the place of the grader. */
  readonly pairs: Pair[];
}

function commonVerdicts(verdicts: readonly ReviewerVerdict[]): ReadonlyMap<string, Common> {
  const byPlace = new Map<string, ReviewerVerdict[]>();
  for (const verdict of verdicts) byPlace.set(verdict.on, [...(byPlace.get(verdict.on) ?? []), verdict]);
  const found = new Map<string, Common>();
  for (const given of byPlace.values()) {
    const sorted = given.toSorted((one, other) => order(one.by, other.by));
    for (const [i, first] of sorted.entries()) {
      for (const second of sorted.slice(i + 1)) {
        const key = JSON.stringify([first.by, second.by]);
        const own: Common = found.get(key) ?? { reviewers: [first.by, second.by], pairs: [] };
        found.set(key, own);
        own.pairs.push({ case: first.case, grader: first.passed, person: second.passed });
      }
    }
  }
  return found;
}

function agreementOfTwo(
  reviewers: readonly [string, string],
  pairs: readonly Pair[],
  seed: number,
): ReviewerPair {
  const { kappa } = agreementOf(pairs, seed);
  const agreed = pairs.filter(({ grader, person }) => grader === person).length;
  const first = new Set(pairs.map(({ grader }) => grader));
  return {
    reviewers,
    verdicts: pairs.length,
    agreed,
    share: rateOf(agreed, pairs.length, effectiveOf(pairs)),
    kappa: first.size < 2 ? null : kappa,
  };
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
