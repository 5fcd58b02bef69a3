import type { RunSpec } from '../../core/run-spec.ts';
import type { TestCase } from '../../core/test-case.ts';
import type { PlannedTrial } from '../../engine/trial-context.ts';
import type { Plan } from '../../engine/plan.ts';

/** The case of a trial. Cases stay packed in their suites until they are needed. */
export function caseIn({ suites }: Plan, { suite: id, place }: PlannedTrial): TestCase {
  const suite = suites[place.suite];
  if (suite === undefined) throw new Error(`the plan has no suite ${id}`);
  return suite.cases.at(place.index);
}

/** Number of trials by target. */
export function countByTarget({
  targets,
  kinds,
  cases,
}: Pick<RunSpec, 'targets' | 'kinds' | 'cases'>): Readonly<Record<string, number>> {
  const counts: Record<string, number> = Object.fromEntries(targets.map(({ name }) => [name, 0]));
  for (const kind of cases.kind) {
    const { targets: under = [], repeat = 0 } = kinds[kind] ?? {};
    for (const target of under) counts[target] = (counts[target] ?? 0) + repeat;
  }
  return counts;
}
