import { messageOf } from '../core/errors.ts';
import type { Sink } from '../core/log.ts';
import type { RunEvent } from '../core/run.ts';

/** The sinks of a run. A sink that throws is dropped and reported. The run and its log continue. */
export interface SinkShelf {
  show(events: readonly RunEvent[]): void;
  /**
   * Closes the sinks in order, after pending writes. `told` is awaited after a drop, so that later sinks can
   * report it. A closed sink gets no more events.
   */
  close(told: () => Promise<void>): Promise<void>;
}

export function openSinkShelf(
  all: readonly Sink[],
  onDrop: (sink: string, message: string) => void,
): SinkShelf {
  const sinks = new Set(all);
  /** The pending write of each sink. The next one waits for it, so that events stay in order. */
  const writing = new Map<Sink, Promise<void>>();
  const drop = (sink: Sink, error: unknown) => {
    if (sinks.delete(sink)) onDrop(sink.name, messageOf(error));
  };
  const showOne = (sink: Sink, event: RunEvent) => {
    const before = writing.size === 0 ? undefined : writing.get(sink);
    if (before !== undefined) {
      return wait(
        sink,
        before.then(() => (sinks.has(sink) ? sink.write(event) : undefined)),
      );
    }
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
      .then(() => {
        if (writing.get(sink) === work) writing.delete(sink);
      });
    writing.set(sink, work);
  };
  return {
    show(events) {
      for (const event of events) for (const sink of sinks) showOne(sink, event);
    },
    async close(told) {
      await Promise.all(writing.values());
      await told();
      for (const sink of sinks) {
        await writing.get(sink);
        if (sink.close === undefined || !sinks.has(sink)) continue;
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

/** A user's sink may return anything. */
function isPromise(result: unknown): result is Promise<void> {
  return result instanceof Promise;
}
