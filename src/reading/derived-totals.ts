import type { Manifest } from '../core/manifest.ts';
import { readFormula } from '../lib/formula.ts';
import { round9 } from '../lib/text/decimals.ts';
import type { GraderTotals } from './grader-totals.ts';
import { scoreText } from './phrases.ts';

/** A total that a formula of a suite computes from the means of metrics. */
export interface DerivedTotals {
  readonly name: string;
  readonly formula: string;
  /** Null: a metric of the formula has no mean, or the formula divides by zero. */
  readonly targets: readonly { readonly target: string; readonly value: number | null }[];
}

/** The totals that the formulas of a run compute for each of its targets. Later formulas can use earlier ones. */
export function derivedTotals(
  totals: readonly GraderTotals[],
  { suites, targets }: Pick<Manifest, 'suites' | 'targets'>,
): readonly DerivedTotals[] {
  const all = suites.flatMap(({ derivedMetrics = {} }) => {
    const known = new Map(targets.map(({ name }) => [name, meansOf(totals, name)]));
    return Object.entries(derivedMetrics).map((each) => totalOf(each, known));
  });
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

type Known = ReadonlyMap<string, Map<string, number | undefined>>;

/** Adds the values to those that later formulas of the suite can use. */
function totalOf([name, formula]: readonly [string, string], known: Known): DerivedTotals {
  const read = readFormula(formula);
  const targets = [...known].map(([target, values]) => {
    const value = 'message' in read ? undefined : read.value((each) => values.get(each));
    values.set(name, value);
    return { target, value: value === undefined ? null : round9(value) };
  });
  return { name, formula, targets };
}

function meansOf(totals: readonly GraderTotals[], target: string): Map<string, number | undefined> {
  return new Map(
    totals.flatMap(({ kind, name, targets }): readonly [string, number][] => {
      const mean = targets.find((each) => each.target === target)?.mean;
      return kind === 'metric' && typeof mean === 'number' ? [[name, mean]] : [];
    }),
  );
}

/** `0.87`, or `-` without a value. */
export function derivedText(value: number | null): string {
  return value === null ? '-' : scoreText(value);
}
