import type { Yielded } from '../core/target.ts';

/**
 * Counts the responses of the agent's model. An adapter that knows says so on the entry; else reasoning, text or the
 * start of a tool opens a step, and it closes when no started tool is unfinished. What the user says closes it too.
 */
export function createStepCounter(): (entry: Yielded) => number {
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
    if (entry.parentCallId !== undefined) return steps;
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
