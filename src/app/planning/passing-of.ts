import { activeCases } from '../../engine/plan.ts';
import type { BoundRun } from '../binding/bind.ts';
import { settingsIn } from '../binding/trial-settings.ts';
import { passingWords } from './passing-words.ts';

/** Cases of a plan that pass under the same conditions. */
interface PassingGroup {
  /** As sentences; all must hold. */
  readonly conditions: readonly string[];
  readonly cases: number;
}

const MOST_GROUPS = 20;

/** What counts as passing in a plan. Skipped cases are left out. */
interface Passing {
  /** The conditions of the most cases first. */
  readonly groups: readonly PassingGroup[];
  /** Number of stored cases that say nothing of what a good end is. */
  readonly expectingNothing: number;
  /** Number of stored cases with expected outcomes that the run does not judge. */
  readonly leavingOutcomes: number;
}

export function passingOf(bound: BoundRun): Passing {
  const { plan, machine } = bound;
  const settingsFor = settingsIn(bound);
  const counts = new Map<string, number>();
  let expectingNothing = 0;
  let leavingOutcomes = 0;
  for (const { planned, testCase } of activeCases(plan)) {
    if (testCase.expectsNothing === true) expectingNothing += 1;
    if (testCase.leavesOutcomes === true) leavingOutcomes += 1;
    const { threshold } = settingsFor(testCase, planned.targets[0] ?? '');
    const conditions = JSON.stringify(passingWords({ ...testCase, threshold }, machine.graders));
    counts.set(conditions, (counts.get(conditions) ?? 0) + 1);
  }
  const groups = [...counts]
    .map(([text, cases]): PassingGroup => ({ conditions: JSON.parse(text) as string[], cases }))
    .toSorted((one, other) => other.cases - one.cases)
    .slice(0, MOST_GROUPS);
  return { groups, expectingNothing, leavingOutcomes };
}
