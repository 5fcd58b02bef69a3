import { messageOf } from '../core/errors.ts';
import type { Sink } from '../core/log.ts';
import type { RunEvent } from '../core/run.ts';

/** The sinks of a run. One that throws is dropped and reported; the run and its data go on. */
export interface SinkShelf {
  show(events: readonly RunEvent[]): void;
  /** In their order; `told` is awaited after a drop, so that those that close later can tell of it. */
  close(told: () => Promise<void>): Promise<void>;
}

export function openSinkShelf(
  all: readonly Sink[],
  onDrop: (sink: string, message: string) => void,
): SinkShelf {
  const sinks = new Set(all);
  const drop = (sink: Sink, error: unknown) => {
    if (sinks.delete(sink)) onDrop(sink.name, messageOf(error));
  };
  const showOne = (sink: Sink, event: RunEvent) => {
    try {
      const result = sink.write(event);
      if (result !== undefined) result.catch((error: unknown) => drop(sink, error));
    } catch (error) {
      drop(sink, error);
    }
  };
  return {
    show(events) {
      for (const event of events) for (const sink of sinks) showOne(sink, event);
    },
    async close(told) {
      for (const sink of sinks) {
        try {
          await sink.close?.();
        } catch (error) {
          drop(sink, error);
          await told();
        }
      }
    },
  };
}
