import { messageOf } from '../core/errors.ts';
import type { EventLog, Sink } from '../core/log.ts';
import type { Emitted, RunEvent } from '../core/run.ts';

/** How long a fact may wait for others before it is written, in milliseconds. */
const BATCH_MS = 50;

/** The one way into the log. Facts are written first and shown afterwards, in order. */
export interface EventStream {
  /** Keeps a fact; it is written within 50 ms. */
  emit(fact: Emitted): void;
  /** Keeps a fact and resolves when it and all before it are written and shown. */
  settle(fact: Emitted): Promise<void>;
  /** Writes what is pending and closes the sinks; rejects when a write failed. */
  close(): Promise<void>;
}

export interface EventStreamOptions {
  readonly log: EventLog;
  readonly sinks: readonly Sink[];
  readonly now: () => number;
  /** Called once, when the log cannot be written any more. */
  readonly onFailure: (error: unknown) => void;
}

/** Opens the stream of one run. */
export function openEventStream(options: EventStreamOptions): EventStream {
  const sinks = new Set(options.sinks);
  let pending: Emitted[] = [];
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;
  let failure: { readonly error: unknown } | undefined;
  let written: Promise<void> = Promise.resolve();
  let batch: Promise<void> | undefined;

  const write = async (facts: readonly Emitted[]) => {
    if (failure !== undefined) throw failure.error;
    let events: readonly RunEvent[];
    try {
      events = await options.log.append(facts);
    } catch (error) {
      failure = { error };
      options.onFailure(error);
      throw error;
    }
    for (const event of events) show(event);
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    clearImmediate(soon);
    timer = soon = batch = undefined;
    const facts = pending;
    pending = [];
    if (facts.length > 0) written = written.then(() => write(facts));
    return written;
  };

  const show = (event: RunEvent) => {
    for (const sink of sinks) {
      try {
        const result = sink.write(event);
        if (result !== undefined) result.catch((error: unknown) => drop(sink, error));
      } catch (error) {
        drop(sink, error);
      }
    }
  };

  const drop = (sink: Sink, error: unknown) => {
    if (!sinks.delete(sink)) return;
    const fact = { type: 'sink-error', sink: sink.name, message: messageOf(error) } as const;
    emit({ at: new Date(options.now()).toISOString(), fact });
  };

  const emit = (fact: Emitted) => {
    pending.push(fact);
    timer ??= setTimeout(() => void flush().catch(() => {}), BATCH_MS);
  };

  /** Trials that end in the same round of the event loop share one write. */
  const settle = (fact: Emitted): Promise<void> => {
    pending.push(fact);
    batch ??= new Promise((resolve, reject) => {
      soon = setImmediate(() => flush().then(resolve, reject));
    });
    return batch;
  };

  const close = async () => {
    await (batch ?? flush());
    for (const sink of sinks) {
      try {
        await sink.close?.();
      } catch (error) {
        drop(sink, error);
      }
    }
    await flush();
  };

  return { emit, settle, close };
}
