import type { RunEvent } from '../../core/run.ts';
import type { PlannedTrial } from '../../engine/parts.ts';
import { keysOf, type Plan } from '../../engine/plan.ts';

/** The numbers that the trials of a run have, as its log tells them. */
export interface KeptNumbers {
  add(event: RunEvent): void;
  /**
   * How the trials of a plan are numbered: by their places in it, where they were numbered so; else those that have no
   * number yet get the next ones, in the order of the plan.
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

/** Logs of earlier versions are numbered by the ends of their trials. */
function isByPlace(numbers: ReadonlyMap<string, number>, plan: Plan): boolean {
  let place = 0;
  for (const key of keysOf(plan)) {
    place += 1;
    if ((numbers.get(key) ?? place) !== place) return false;
  }
  return true;
}
