import type { RunEvent } from '../../core/run.ts';
import type { PlannedTrial } from '../../engine/trial-context.ts';
import { keysOf, type Plan } from '../../engine/plan.ts';

/** The numbers of the trials of a run, from its log. */
export interface KeptNumbers {
  add(event: RunEvent): void;
  /**
   * Numbers the trials of a plan: by position, if they were numbered so. Otherwise trials without a number
   * get the next ones, in the order of the plan.
   */
  under(plan: Plan, plans: 'same-plan' | 'other-plan'): (trial: PlannedTrial) => number;
}

export function keptNumbers(): KeptNumbers {
  const numbers = new Map<string, number>();
  let planned = 0;
  let wasReplanned = false;
  return {
    add({ trial, fact }) {
      if (fact.type === 'run-start' || fact.type === 'run-resume') {
        wasReplanned ||= fact.type === 'run-resume' && fact.plan !== undefined;
        planned = Math.max(planned, fact.plan?.trials ?? 0);
      }
      const number =
        fact.type === 'trial-start' ? fact.number : fact.type === 'trial-end' ? fact.row.number : undefined;
      if (trial !== undefined && number !== undefined) numbers.set(trial, number);
    },
    under(plan, plans) {
      const isOther = wasReplanned || plans === 'other-plan';
      if (!isOther && isByPlace(numbers, plan)) return ({ number }) => number;
      let last = isOther ? planned : 0;
      for (const number of numbers.values()) last = Math.max(last, number);
      for (const key of keysOf(plan)) if (!numbers.has(key)) numbers.set(key, ++last);
      return ({ key, number }) => numbers.get(key) ?? number;
    },
  };
}

/** Logs of earlier versions number trials in the order in which they ended. */
function isByPlace(numbers: ReadonlyMap<string, number>, plan: Plan): boolean {
  let place = 0;
  for (const key of keysOf(plan)) {
    place += 1;
    if ((numbers.get(key) ?? place) !== place) return false;
  }
  return true;
}
