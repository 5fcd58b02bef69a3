import type { Emitted, Row, RunEvent } from './run.ts';
import type { Manifest } from './manifest.ts';
import type { Transcript } from './transcript.ts';

/** Keeps the events of runs, append-only. */
export interface EventLog {
  /** Numbers the facts and writes them. A rejection ends the run, unless it is `BudgetSpent`: then nothing was written. */
  append(facts: readonly Emitted[]): Promise<readonly RunEvent[]>;
  /** Events with a higher sequence than `after`, in order. */
  read(after?: number): AsyncIterable<RunEvent>;
}

/** The log of a run that this process writes. */
export interface RunLog extends EventLog {
  /** The events of other processes since the last answer. Absent: only this process writes. */
  heard?(): Promise<readonly RunEvent[]>;
  /** Writes the rows that are still buffered; throws when events or rows were removed in the meantime. */
  writeRows(): void;
  close(): void;
  /** Closes the log after a failed write; never throws. */
  abandon(): void;
}

/** Shows events; losing one loses no data. A sink that throws is dropped and becomes a `sink-error`. */
export interface Sink {
  readonly name: string;
  write(event: RunEvent): void | Promise<void>;
  close?(): void | Promise<void>;
}

/** Reads a stored run as a stream, so that results never have to fit in memory. */
export interface RunReader {
  manifest(): Promise<Manifest>;
  /** One row per trial, the last one written, in the order in which trials ended. */
  rows(): AsyncIterable<Row>;
  /** Facts about the whole run, and notes written after their trial had ended, in order. Absent without any. */
  runEvents?(): AsyncIterable<RunEvent>;
  /** The transcript of the last attempt of each of these trials, with its attachments. */
  transcripts(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, Transcript>>;
}

/** Where text for people is written. */
export interface Screen {
  readonly isTty: boolean;
  readonly columns: number;
  readonly colour: boolean;
  write(text: string): void;
}
