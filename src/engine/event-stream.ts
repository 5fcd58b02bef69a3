import { BudgetSpent } from '../core/errors.ts';
import type { EventLog, RunLog, Sink } from '../core/log.ts';
import type { Emitted, RunEvent } from '../core/run.ts';
import { openSinkShelf } from './sink-shelf.ts';

/** Longest delay of a fact before it is written, in milliseconds. */
const BATCH_MS = 50;

/** The only way into the log. Facts are written first, then shown, in order. */
export interface EventStream {
  /** Adds a fact, which is written within 50 ms. */
  emit(fact: Emitted): void;
  /** Adds a fact. Resolves when it and all earlier facts are written and shown. */
  settle(fact: Emitted): Promise<void>;
  /** The same for a fact that sets money aside. Rejects with `BudgetSpent` if it does not fit into the budget. */
  setAside(fact: Emitted): Promise<void>;
  /** Shows what other processes wrote. Rejects if an earlier write failed. */
  catchUp(): Promise<void>;
  /** Resolves when everything so far is written and shown. Rejects if a write failed. */
  flush(): Promise<void>;
  /** Closes the sinks, then writes their last facts. */
  close(): Promise<void>;
}

export interface EventStreamOptions {
  readonly log: EventLog & Pick<RunLog, 'heard'>;
  readonly sinks: readonly Sink[];
  readonly now: () => number;
  /** Whether this process is mostly idle. An end is then written immediately, otherwise ends share a write. */
  readonly hasTimeToSpare?: () => boolean;
  /** Called once, when the log cannot be written. */
  readonly onFailure: (error: unknown) => void;
}

/** Opens the stream of one run. */
export function openEventStream(options: EventStreamOptions): EventStream {
  const append = failingOnce(options);
  let pending: Emitted[] = [];
  let timer: NodeJS.Timeout | undefined;
  let batch: Promise<void> | undefined;
  let written: Promise<void> = Promise.resolve();

  const shelf = openSinkShelf(options.sinks, (sink, message) => {
    emit({ at: new Date(options.now()).toISOString(), fact: { type: 'sink-error', sink, message } });
  });

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = batch = undefined;
    const facts = pending;
    pending = [];
    if (facts.length > 0) written = written.then(async () => shelf.show(await append(facts)));
    return written;
  };

  const emit = (fact: Emitted) => {
    pending.push(fact);
    timer ??= setTimeout(() => void flush().catch(() => {}), BATCH_MS);
  };

  return {
    emit,
    flush,
    /**
     * Trials that end in the same round of the event loop share one write, and the next ones start together. This is
     * cheaper under load. Without load, the first would only wait for the last.
     */
    settle(fact) {
      pending.push(fact);
      if (batch === undefined && options.hasTimeToSpare?.() === true) return flush();
      batch ??= new Promise((resolve, reject) => {
        setImmediate(() => flush().then(resolve, reject));
      });
      return batch;
    },
    setAside(fact) {
      void flush().catch(() => {});
      // Alone, so that nothing else is refused with it.
      const asked = written.then(async () => shelf.show(await append([fact])));
      written = asked.catch((error: unknown) => {
        if (!(error instanceof BudgetSpent)) throw error;
      });
      void written.catch(() => {});
      return asked;
    },
    catchUp() {
      const before = written;
      const heard = before.then(async () => shelf.show((await options.log.heard?.()) ?? []));
      // What could not be read now is read again, so that only a failed write is a failure.
      written = before.then(() => heard.catch(() => {}));
      void written.catch(() => {});
      return heard;
    },
    async close() {
      await flush();
      await shelf.close(flush);
      await flush();
    },
  };
}

/** Appends until a write fails. Every later call fails with the same error. */
function failingOnce(
  options: EventStreamOptions,
): (facts: readonly Emitted[]) => Promise<readonly RunEvent[]> {
  let failure: { readonly error: unknown } | undefined;
  return async (facts) => {
    if (failure !== undefined) throw failure.error;
    try {
      return await options.log.append(facts);
    } catch (error) {
      if (error instanceof BudgetSpent) throw error;
      failure = { error };
      options.onFailure(error);
      throw error;
    }
  };
}
