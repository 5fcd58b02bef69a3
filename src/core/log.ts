import type { Emitted, Row, RunEvent } from './run.ts';
import type { Manifest } from './manifest.ts';
import type { Transcript } from './transcript.ts';

/** Keeps the events of runs, append-only. */
export interface EventLog {
  /** Numbers the facts and keeps them; resolves when they are written. A rejection ends the run. */
  append(facts: readonly Emitted[]): Promise<readonly RunEvent[]>;
  /** Events with a higher sequence than `after`, in order. */
  read(after?: number): AsyncIterable<RunEvent>;
}

/** The log of a run that this process writes. */
export interface RunLog extends EventLog {
  /** Writes the rows that wait for others; throws when events or rows were removed meanwhile. */
  writeRows(): void;
  close(): void;
  /** Closes after a failed write; never throws. */
  abandon(): void;
}

/** Shows events; losing one loses no data. A sink that throws is dropped and becomes a `sink-error`. */
export interface Sink {
  readonly name: string;
  write(event: RunEvent): void | Promise<void>;
  close?(): void | Promise<void>;
}

/** Reads a stored run, streaming: nothing holds all results. */
export interface RunReader {
  manifest(): Promise<Manifest>;
  /** One row a trial, the last one written for it, in the order of their ends. */
  rows(): AsyncIterable<Row>;
  /** What the log tells of the run as a whole, and notes of trials that had ended, in order; absent: it tells nothing. */
  runEvents?(): AsyncIterable<RunEvent>;
  /** The transcript of the last attempt of each of these trials, attachments resolved. */
  transcripts(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, Transcript>>;
}

/** Where text for people goes. */
export interface Screen {
  readonly isTty: boolean;
  readonly columns: number;
  readonly colour: boolean;
  write(text: string): void;
}
