import type { ComparedCase, MovedCase } from '../core/run-comparison.ts';
import type { CaseTable } from './case-table.ts';
import type { Matched } from './match-cases.ts';
import type { UnequalPair } from './permutation.ts';

/** Cases that were measured on both sides, by their positions in the tables. */
export interface Pairs {
  readonly base: CaseTable;
  readonly candidate: CaseTable;
  readonly places: Matched['pairs'];
}

/** For each pair, the mean over the measured repetitions of one side. */
export function perTrial(
  { base, candidate, places }: Pairs,
  side: 'base' | 'candidate',
  what: 'scores' | 'passed' | 'costUsd' | 'tokens' | 'latencyMs',
): Float64Array {
  const table = side === 'base' ? base : candidate;
  const [sums, counts] = [table[what], table.measured];
  const means = new Float64Array(places.length);
  for (let i = 0; i < means.length; i++) {
    const [left, right] = places[i] as Pairs['places'][number];
    const place = side === 'base' ? left : right;
    means[i] = (sums[place] as number) / (counts[place] as number);
  }
  return means;
}

/** Values of both sides for each pair. */
export interface PairValues {
  readonly base: Float64Array;
  readonly candidate: Float64Array;
  readonly differences: Float64Array;
}

export function valuesOf(pairs: Pairs, what: 'scores' | 'passed'): PairValues {
  const base = perTrial(pairs, 'base', what);
  const candidate = perTrial(pairs, 'candidate', what);
  return { base, candidate, differences: base.map((before, i) => (candidate[i] as number) - before) };
}

/** Cases with different values, from the largest decrease to the largest increase. */
export function movedCases({ base, places }: Pairs, values: PairValues): readonly MovedCase[] {
  const { differences } = values;
  const order = Float64Array.from(differences.keys()).filter(
    (i) => Math.abs(differences[i] as number) >= 1e-9,
  );
  order.sort((one, other) => (differences[one] as number) - (differences[other] as number));
  return Array.from(order, (i): MovedCase => {
    const [left] = places[i] as Pairs['places'][number];
    const { suite, caseId } = base.names[left] as ComparedCase;
    return {
      suite,
      caseId,
      base: values.base[i] as number,
      candidate: values.candidate[i] as number,
      difference: differences[i] as number,
    };
  });
}

/** The trials of cases with more repetitions on one side. */
export function unequalPairs(pairs: Pairs, what: 'scores' | 'passed'): readonly UnequalPair[] {
  const { base, candidate, places } = pairs;
  const unequal = places.flatMap(([left, right], at) =>
    base.measured[left] === candidate.measured[right] ? [] : [{ at, left, right }],
  );
  if (unequal.length === 0) return [];
  const before = trialsOf(base, what, new Set(unequal.map(({ left }) => left)));
  const after = trialsOf(candidate, what, new Set(unequal.map(({ right }) => right)));
  return unequal.map(({ at, left, right }) => ({
    at,
    base: before.get(left) ?? [],
    candidate: after.get(right) ?? [],
  }));
}

function trialsOf(
  { trialPlaces, trialScores, trialPassed }: CaseTable,
  what: 'scores' | 'passed',
  wanted: ReadonlySet<number>,
): ReadonlyMap<number, readonly number[]> {
  const values = what === 'scores' ? trialScores : trialPassed;
  const trials = new Map<number, number[]>();
  for (const [i, place] of trialPlaces.entries()) {
    if (!wanted.has(place)) continue;
    const own = trials.get(place) ?? [];
    trials.set(place, own);
    own.push(values[i] as number);
  }
  return trials;
}
