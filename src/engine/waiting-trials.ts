import { dependenciesOf } from './dependencies.ts';
import type { PlannedTrial } from './trial-context.ts';
import type { Plan } from './plan.ts';

/** Keeps trials until their dependencies have ended. */
export interface WaitingTrials {
  /** Whether a trial can go now, possibly as blocked. Otherwise it is kept. */
  letsGo(trial: PlannedTrial): boolean;
  /** A dependency of the trial that did not pass. */
  blockedBy(trial: PlannedTrial): Obstacle | undefined;
  /** Reports an end. Returns the trials that can go now, in the order in which they arrived. */
  ended(trial: PlannedTrial, passed: boolean): readonly PlannedTrial[];
}

export interface Obstacle {
  /** Id of the case. */
  readonly id: string;
  /** State of its trial on the same target. `unplanned`: there is no such trial. */
  readonly trial: 'not-passed' | 'unplanned';
}

/** `before`: trials that ended in an earlier process, and whether they passed. */
export function openWaitingTrials(plan: Plan, before: ReadonlyMap<string, boolean>): WaitingTrials {
  const dependencies = dependenciesOf(plan);
  if (dependencies === undefined) return { letsGo: () => true, blockedBy: () => undefined, ended: () => [] };
  const outcomes = new Map<string, boolean>();
  const kept = new Map<string, PlannedTrial[]>();

  /** The first dependency that did not pass or has not ended. */
  const obstacle = (trial: PlannedTrial): { readonly failed?: Obstacle; readonly waitFor?: string } => {
    for (const { id, key } of dependencies.of(trial)) {
      if (key === undefined) return { failed: { id, trial: 'unplanned' } };
      const passed = outcomes.get(key) ?? before.get(key);
      if (passed === undefined) return { waitFor: key };
      if (!passed) return { failed: { id, trial: 'not-passed' } };
    }
    return {};
  };

  const letsGo = (trial: PlannedTrial): boolean => {
    const { waitFor } = obstacle(trial);
    if (waitFor === undefined) return true;
    const others = kept.get(waitFor);
    if (others === undefined) kept.set(waitFor, [trial]);
    else others.push(trial);
    return false;
  };

  return {
    letsGo,
    blockedBy: (trial) => obstacle(trial).failed,
    ended(trial, passed) {
      if (!dependencies.isDependedOn(trial)) return [];
      outcomes.set(trial.key, passed);
      const released = (kept.get(trial.key) ?? []).filter(letsGo);
      kept.delete(trial.key);
      return released;
    },
  };
}
