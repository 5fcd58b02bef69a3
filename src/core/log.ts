import type { Emitted, RunEvent } from './run.ts';

/** Keeps the events of runs, append-only. */
export interface EventLog {
  /** Numbers the facts and keeps them; resolves when they are written. A rejection ends the run. */
  append(facts: readonly Emitted[]): Promise<readonly RunEvent[]>;
  /** Events with a higher sequence than `after`, in order. */
  read(after?: number): AsyncIterable<RunEvent>;
}

/** Shows events; losing one loses no data. A sink that throws is dropped and becomes a `sink-error`. */
export interface Sink {
  readonly name: string;
  write(event: RunEvent): void | Promise<void>;
  close?(): void | Promise<void>;
}
