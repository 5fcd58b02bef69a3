import { readFormula } from '../../lib/formula.ts';
import { nearest } from '../../lib/text/suggest.ts';
import { fault, type Fault } from './fault.ts';

/** Mistakes in `derived_metrics` of a suite whose evaluators have these metrics. */
export function derivedFaults(
  derived: Readonly<Record<string, string>> = {},
  metrics: ReadonlySet<string>,
): readonly Fault[] {
  const known = new Set(metrics);
  return Object.entries(derived).flatMap(([name, written]) => {
    const path = ['derived_metrics', name];
    const refuse = (message: string, hint: string): readonly Fault[] => [
      fault('invalid-formula', `derived_metrics.${name}: ${message}`, { path, hint }),
    ];
    if (metrics.has(name))
      return refuse(
        'an evaluator already has a metric with this name',
        'choose another name for the formula',
      );
    const formula = readFormula(written);
    if ('message' in formula)
      return refuse(`invalid formula: ${formula.message}`, 'use metrics, numbers, + - * / and parentheses');
    const unknown = formula.names.find((each) => !known.has(each));
    const listed = [...known].sort().join(', ');
    known.add(name);
    if (unknown === undefined) return [];
    const meant = nearest(unknown, known);
    const hint =
      meant !== undefined && meant !== name
        ? `did you mean ${JSON.stringify(meant)}?`
        : listed === ''
          ? 'give evaluators `metric: NAME`'
          : `known: ${listed}`;
    return refuse(`unknown metric ${JSON.stringify(unknown)}`, hint);
  });
}
