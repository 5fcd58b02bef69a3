import type { MeasurementError } from '../core/errors.ts';
import type { ModelRequest } from '../core/model.ts';
import type { Clock } from '../lib/time/clock.ts';

/** Sums up the time that a request waits because of limits, and tells its caller when the clock stops. */
export interface WaitCounter {
  during<T>(wait: () => Promise<T>, because?: MeasurementError): Promise<T>;
  totalMs(): number;
}

export function waitCounter(clock: Clock, waiting: ModelRequest['waiting']): WaitCounter {
  let totalMs = 0;
  return {
    totalMs: () => Math.round(totalMs),
    async during(wait, because) {
      const startedAt = clock.now();
      const goOn = waiting?.(because);
      try {
        return await wait();
      } finally {
        totalMs += clock.now() - startedAt;
        goOn?.();
      }
    },
  };
}
