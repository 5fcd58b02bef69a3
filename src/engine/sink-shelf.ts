import { messageOf } from '../core/errors.ts';
import type { Sink } from '../core/log.ts';
import type { RunEvent } from '../core/run.ts';

/** The sinks of a run. One that throws is dropped and reported; the run and its data go on. */
export interface SinkShelf {
  show(events: readonly RunEvent[]): void;
  /**
   * In their order, after writes that take time; `told` is awaited after a drop, so that those that close later can
   * tell of it. A closed sink is shown nothing more.
   */
  close(told: () => Promise<void>): Promise<void>;
}

export function openSinkShelf(
  all: readonly Sink[],
  onDrop: (sink: string, message: string) => void,
): SinkShelf {
  const sinks = new Set(all);
  const writing = new Set<Promise<void>>();
  const drop = (sink: Sink, error: unknown) => {
    if (sinks.delete(sink)) onDrop(sink.name, messageOf(error));
  };
  const showOne = (sink: Sink, event: RunEvent) => {
    try {
      const result = sink.write(event);
      if (isPromise(result)) wait(sink, result);
    } catch (error) {
      drop(sink, error);
    }
  };
  const wait = (sink: Sink, result: Promise<void>) => {
    const work = result
      .then(
        () => {},
        (error: unknown) => drop(sink, error),
      )
      .finally(() => writing.delete(work));
    writing.add(work);
  };
  return {
    show(events) {
      for (const event of events) for (const sink of sinks) showOne(sink, event);
    },
    async close(told) {
      await Promise.all(writing);
      await told();
      for (const sink of sinks) {
        if (sink.close === undefined) continue;
        try {
          await sink.close();
          sinks.delete(sink);
        } catch (error) {
          drop(sink, error);
          await told();
        }
      }
    },
  };
}

/** A sink of somebody's own may give back anything. */
function isPromise(result: unknown): result is Promise<void> {
  return result instanceof Promise;
}
