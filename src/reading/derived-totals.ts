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
  const formulas = suites.flatMap(({ derivedMetrics = {} }) => Object.entries(derivedMetrics));
  if (formulas.length === 0) return [];
  const known = new Map(targets.map(({ name }) => [name, meansOf(totals, name)]));
  const distinct = new Map(formulas.map((each) => [each.join('\n'), each]));
  return [...distinct.values()].map(([name, formula]) => {
    const read = readFormula(formula);
    return {
      name,
      formula,
      targets: targets.map(({ name: target }) => {
        const values = known.get(target) ?? new Map<string, number>();
        const value = 'message' in read ? undefined : read.value((each) => values.get(each));
        if (value !== undefined) values.set(name, value);
        return { target, value: value === undefined ? null : round9(value) };
      }),
    };
  });
}

function meansOf(totals: readonly GraderTotals[], target: string): Map<string, number> {
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
