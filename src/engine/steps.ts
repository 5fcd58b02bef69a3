import type { Yielded } from '../core/target.ts';

/** A model response that has no entry yet. Its entries will have the same step number. */
export interface StepBegan {
  readonly type: 'step-began';
  readonly step: number;
}

/** Returns a function that adds steps to a sum, which others may correct in between. */
export function stepsInto(sum: { steps: number }): (told: Yielded | StepBegan) => void {
  const count = createStepCounter();
  let before = 0;
  return (told) => {
    const counted = count(told);
    sum.steps += counted - before;
    before = counted;
  };
}

/**
 * Counts the responses of the agent's model. An adapter may give the step in an entry or before it. Otherwise
 * reasoning, text or the start of a tool opens a step, and it closes when all started tools have finished. A message of
 * the user also closes it.
 */
export function createStepCounter(): (told: Yielded | StepBegan) => number {
  let steps = 0;
  let highest = -1;
  let open = false;
  const unfinished = new Set<string>();
  return (entry) => {
    if (entry.type === 'usage') return steps;
    if (entry.type === 'message' && entry.role !== 'assistant') {
      if (entry.role === 'user') {
        unfinished.clear();
        open = false;
      }
      return steps;
    }
    if (entry.type === 'tool-result') {
      if (unfinished.delete(entry.callId) && unfinished.size === 0) open = false;
      return steps;
    }
    if (entry.type !== 'step-began' && entry.parentCallId !== undefined) return steps;
    if (entry.type === 'tool-call') unfinished.add(entry.callId);
    if (entry.step !== undefined) {
      if (entry.step > highest) {
        highest = entry.step;
        steps += 1;
      }
    } else if (!open) {
      steps += 1;
    }
    open = true;
    return steps;
  };
}
