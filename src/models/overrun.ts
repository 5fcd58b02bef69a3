import type { Usage } from '../core/usage.ts';
import type { BilledTokens } from './worst-case.ts';

/**
 * What a provider bills beyond the estimated maximum of a request, such as for a prompt that its server adds. It is
 * learned from answers, so that later reservations are large enough.
 */
export interface Overrun {
  /** An estimated maximum, corrected by what was learned so far. */
  addTo(bound: BilledTokens): BilledTokens;
  /** The first request runs alone. Gives a promise for its end; undefined when no wait is needed. */
  first(): Promise<void> | undefined;
  /** A request starts. Call the returned function when it is done, with the billed cost if it is known. */
  start(bound: BilledTokens, onGrowth: () => void): (billed: Usage | undefined) => void;
}

export function openOverrun(): Overrun {
  let input = 0;
  let output = 0;
  let first: Promise<void> | undefined;
  let isOver = false;
  const underWay = new Set<() => void>();
  const learn = (bound: BilledTokens, { inputTokens, outputTokens }: Usage): void => {
    const before = input + output;
    input = Math.max(input, inputTokens - bound.input);
    output = Math.max(output, outputTokens - bound.output);
    if (input + output > before) for (const grow of underWay) grow();
  };
  return {
    addTo: (bound) => ({ input: bound.input + input, output: bound.output + output }),
    first: () => (isOver ? undefined : first),
    start(bound, onGrowth) {
      let done: (() => void) | undefined;
      first ??= new Promise((resolve) => (done = resolve));
      underWay.add(onGrowth);
      return (billed) => {
        underWay.delete(onGrowth);
        if (billed !== undefined) learn(bound, billed);
        if (done === undefined) return;
        isOver = true;
        done();
      };
    },
  };
}
