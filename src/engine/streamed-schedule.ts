import type { PlannedTrial } from './trial-context.ts';
import type { Schedule } from './schedule.ts';

/** Hands out trials in the order in which they arrive. Buffers at most one. After disposal, requests no more. */
export function streamedSchedule(trials: AsyncIterable<PlannedTrial>): Schedule & AsyncDisposable {
  const iterator = trials[Symbol.asyncIterator]();
  let head: PlannedTrial | undefined;
  let isOver = false;
  const read = async (): Promise<void> => {
    const { done, value } = await iterator.next();
    if (done === true) isOver = true;
    else head = value;
  };
  return {
    next() {
      if (head === undefined) return undefined;
      const next = { trial: head };
      head = undefined;
      return next;
    },
    coming: () => (isOver || head !== undefined ? undefined : read()),
    ended: () => {},
    async [Symbol.asyncDispose]() {
      await iterator.return?.();
    },
  };
}
