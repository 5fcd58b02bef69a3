import { trialKey } from '../core/trial.ts';
import type { PlannedTrial } from './trial-context.ts';
import { caseName, type Plan, type PlannedCase } from './plan.ts';

/** The dependencies between trials. */
export interface Dependencies {
  /** The dependencies of a trial: same target, same repetition (or the last one if the case has fewer). */
  of(trial: Dependent): readonly Dependency[];
  isDependedOn(trial: Pick<Dependent, 'suite' | 'caseId'>): boolean;
}

type Dependent = Pick<PlannedTrial, 'suite' | 'caseId' | 'target' | 'repetition'>;

interface Dependency {
  readonly id: string;
  /** Key of its trial. Absent if the case has no trial on this target. */
  readonly key?: string;
}

/** Undefined if no case depends on another. */
export function dependenciesOf(plan: Plan): Dependencies | undefined {
  const named = new Set<string>();
  for (const planned of plan.cases) {
    for (const id of planned.dependsOn ?? []) named.add(caseName(planned.suite, id));
  }
  if (named.size === 0) return undefined;
  const cases = new Map<string, PlannedCase>();
  for (const planned of plan.cases) {
    const name = caseName(planned.suite, planned.id);
    if (named.has(name) || planned.dependsOn !== undefined) cases.set(name, planned);
  }
  const suites = new Map(plan.suites.map(({ id }, index) => [id, index]));
  const nameIn = (suite: string, id: string) => caseName(suites.get(suite) ?? -1, id);
  const find = (trial: Dependent, id: string) => cases.get(nameIn(trial.suite, id));
  return {
    of: (trial) =>
      (find(trial, trial.caseId)?.dependsOn ?? []).map((id) => {
        const other = find(trial, id);
        if (other === undefined || !other.targets.includes(trial.target)) return { id };
        const { suite, target } = trial;
        const repetition = Math.min(trial.repetition, other.repeat);
        return { id, key: trialKey({ suite, caseId: id, target, repetition }) };
      }),
    isDependedOn: ({ suite, caseId }) => named.has(nameIn(suite, caseId)),
  };
}
