import type { Usage } from '../core/usage.ts';
import type { BilledTokens } from './worst-case.ts';

/**
 * What the provider of a model bills beyond the bound of a request, such as for a prompt that its server adds: learned
 * from the answers, so that what is set aside for the next request is enough.
 */
export interface Overrun {
  /** A bound with what was learned so far. */
  addTo(bound: BilledTokens): BilledTokens;
  /** The first request goes alone: a promise to wait for, until it is over; undefined: nobody is waited for. */
  first(): Promise<void> | undefined;
  /** A request starts; call what it gives back once it is over, with what was billed where that is known. */
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
