import { AssayError } from './errors.ts';
import type { KeyEntry } from './idempotency-keys.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Redactor } from '../lib/redact/redact.ts';
import type { RunLog, RunReader } from './log.ts';
import type { RunIndex } from './run-index.ts';
import type { RowOutcome } from './row-outcome.ts';
import type { Fact, Frozen, Row, RunEvent, RunState } from './run.ts';
import type { Manifest } from './manifest.ts';
import type { RunSpec } from './run-spec.ts';
import type { Transcript, TranscriptEntry } from './transcript.ts';
import type { SharedClaim, SharedRun } from './handed-trials.ts';
import type { Artifacts, AttemptArtifacts } from './target.ts';
import { parseTrialKey, type TrialId } from './trial.ts';
import type { Cost, Spender } from './usage.ts';
import type { StatusCounts } from './verdict.ts';

/** Where runs are kept: run directories, a database, memory. */
export interface RunStore {
  /**
   * Finds a run by its place, its id, the unique start of an id, or `latest`. `RUN#TARGET` selects one target.
   * Throws `run-not-found` and `run-ambiguous`.
   */
  find(reference: string): Promise<RunReference>;
  /** Ids, oldest first. */
  list(): Promise<readonly string[]>;
  open(id: string): StoredRun;
  /** Begins a run and claims it. Throws `results-not-written` when it cannot be stored. */
  create(begin: BegunRun): Promise<OpenRun>;
  /** Claims a run for this process. Throws `run-in-use` when another process writes it. */
  claim(run: StoredRun): Promise<ClaimedRun>;
  /** Finds the run of a path such as the folder of an attempt; undefined when the path belongs to no run. */
  around(place: string): Promise<NamedInRun | undefined>;
  /** Claims the files of an ended attempt, to add to them. Throws `run-in-use` when another process has them. */
  claimAttempt(attempt: NamedInRun): Promise<ClaimedAttempt>;
}

/** A run that is about to begin. */
export interface BegunRun {
  /** Milliseconds since 1970; ids sort by it. */
  readonly startedAt: number;
  readonly redactor: Redactor;
  /** What it executes; stored before the run becomes visible. Absent when it executes nothing. */
  readonly spec?: RunSpec | undefined;
  /** Copies of what it uses, one for each digest; stored before the run becomes visible. */
  readonly frozen?: Iterable<Frozen> | undefined;
  /** Only a database has these. */
  readonly listed?: ListedRun | undefined;
  /** `place`: where it will be stored. */
  manifest(id: string, place: string): Manifest;
}

/** How a run was started, and what people call it. */
export interface ListedRun {
  readonly origin: 'server' | 'cli';
  /** Absent: it begins at once. */
  readonly state?: 'queued';
  /** The request with its defaults. */
  readonly settings?: JsonObject;
  readonly name?: string;
  readonly note?: string;
  /** The group of runs to compare with each other. */
  readonly line?: string;
  /** Id of the set of cases that was selected. */
  readonly caseSetId?: string;
  readonly tags?: readonly string[];
  /** Id of the account. */
  readonly createdBy?: string;
  /** The request that begins it, so that the same request does not begin another run. */
  readonly request?: KeyEntry;
}

/** A run that was found by a reference. */
export interface RunReference {
  readonly run: StoredRun;
  /** Present for `RUN#TARGET`. */
  readonly target?: string;
}

/** A folder or file of a run, such as the artifacts of an attempt, by the name in its rows. */
export interface NamedInRun {
  readonly run: StoredRun;
  readonly name: string;
}

/** The files of an attempt, claimed by this process. */
export interface ClaimedAttempt {
  /** Artifacts below it, under this name; `close` removes secrets from files of other programs. */
  artifacts(name: string, redactor: Redactor): Artifacts & { close(): Promise<unknown> };
  /** Releases the claim. */
  release(): void;
}

/** A value, or a promise of it where a database is asked. */
export type Soon<T> = T | Promise<T>;

/** A trial with its place in the plan of its run. */
export type NumberedTrial = TrialId & Pick<Row, 'number'>;

/** A manifest without its list of digests, which is most of it in a large run. */
export type ManifestHead = Omit<Manifest, 'digests'>;

/** A trial as a run has stored it. */
export interface StoredTrial {
  readonly row: Row;
  /** The transcript of the last attempt. */
  readonly transcript: Transcript;
}

/** A file that an attempt left. */
export interface KeptArtifact {
  /** Attempt, from 1. */
  readonly attempt: number;
  /** Below the folder of the attempt, with `/`. */
  readonly name: string;
  readonly bytes: number;
}

/** One of these files, opened for reading. */
export interface OpenArtifact {
  readonly bytes: number;
  /** Can be read once. */
  content(): AsyncIterable<Uint8Array>;
}

/** Which `trial-end` events of a log count. */
export interface Ends {
  /** Whether that event is the end of its trial: the last one, and not dropped later. */
  isLast(trial: string, sequence: number): boolean;
  /** Whether resuming dropped the result that its trial had at that time. */
  isVoid(trial: string, sequence: number): boolean;
  /** The rank of a trial by its first end, from 1; a trial without an end comes after the last. */
  placeOf(trial: string): number;
}

/**
 * A run opened for reading, even while it is written or after its process died. All reads are streams.
 * Methods throw `run-unreadable` and `run-newer`.
 */
export interface StoredRun extends RunReader {
  /** The name that people use. */
  readonly name: string;
  /** A reference that still finds it when there are newer runs. */
  readonly reference: string;
  /** Where it is stored, for people; opens it in any store of the same kind. */
  readonly place: string;
  /** Whether it is kept in a database: nothing of it lies in files at its place but what attempts leave. */
  readonly isWithoutFiles?: true;
  /** Absent: rows and log are read as a whole. */
  readonly index?: RunIndex;
  /** Absolute path of something that rows of this run name, for people and their programs. */
  placeOf(name: string): string;
  head(): Promise<ManifestHead>;
  /** The current status: a run whose process died is interrupted. `head`: as just read. */
  state(head?: ManifestHead): Promise<RunState>;
  /** `head`: as just read. */
  counts(head?: ManifestHead): Promise<StatusCounts>;
  /** Usage of each role; absent if the end of the run did not store it. `head`: as just read. */
  costs(head?: ManifestHead): Promise<ToldAtEnd['costUsd'] | undefined>;
  /** The values of each row that comparing needs; several times faster than whole rows. */
  outcomes(): AsyncIterable<readonly RowOutcome[]>;
  /** The rows of trials with an unexpected result, without skipped ones. */
  unpassed(): AsyncIterable<Row>;
  rowsOfCases(caseIds: ReadonlySet<string>): AsyncIterable<Row>;
  /** In the order of their last ends. */
  trials(): AsyncIterable<StoredTrial>;
  /** Events with a sequence above `after`, in order. */
  events(after?: number): AsyncIterable<RunEvent>;
  ends(): Promise<Ends>;
  /** What it executes; undefined for runs that executed nothing. */
  spec(): Promise<RunSpec | undefined>;
  /** Stored cases and their graders as the run used them. `digests`: only these. */
  frozen(digests?: ReadonlySet<unknown>): AsyncIterable<Frozen>;
  /** The files that the attempts of a trial left, without links; at most 1,000 files. */
  artifacts(trial: TrialId): Promise<readonly KeptArtifact[]>;
  /** Undefined when the file does not exist, is a link or is behind a link. */
  artifact(trial: TrialId, named: Pick<KeptArtifact, 'attempt' | 'name'>): Promise<OpenArtifact | undefined>;
  /** A text that was too large for its line, by its sha-256; undefined: the run has no such text. */
  attachment(sha256: string): Promise<OpenArtifact | undefined>;
  /** Changes whenever the run has written something. */
  version(): Promise<string>;
  /**
   * A row in the form in which another run of the store can hold it, with its whole answer and its files left in place.
   */
  movedRow(row: Row, into: Pick<StoredRun, 'place'>): Soon<Row>;
  /** The transcript entry of an event, with its attachments. */
  wholeEntry(entry: Extract<Fact, { type: 'transcript-entry' }>['entry']): Soon<TranscriptEntry>;
}

/** A run that only this process may write. */
export interface ClaimedRun extends Partial<SharedClaim> {
  /** After `keepRows` its rows are trusted. Before that, rows of a killed run are read from the log. */
  readonly stored: StoredRun;
  /** The last row of each trial in the log, even if it was dropped later. */
  loggedRows(): AsyncIterable<Row>;
  /** Rewrites its rows from the log, and keeps only those that `keep` accepts. Ends after the event `upTo` stay. */
  keepRows(keep: (row: Row) => boolean, upTo?: number): Promise<void>;
  addRows(rows: Iterable<Row>): void;
  /** Removes files of attempts without an end. `ended`: number of ended attempts by trial key. */
  dropStrayAttempts(ended: ReadonlyMap<string, number>): Promise<void>;
  /** Saves its new manifest and opens the run for writing. The redactor removes secrets. */
  open(manifest: Manifest, redactor: Redactor): Soon<OpenRun>;
  /** Releases the claim. */
  release(): Soon<void>;
}

/** A run that is being written. */
export interface OpenRun extends Partial<SharedRun> {
  /** Its rows are trusted. */
  readonly stored: StoredRun;
  /** The manifest as it was opened. */
  readonly manifest: Manifest;
  readonly redactor: Redactor;
  /** Aborted when somebody asks the store to cancel the run. Absent: this store cannot cancel runs. */
  readonly cancelAsked?: AbortSignal;
  /** Its log, continued after the existing events; `lastSequence` is the last of them. */
  openLog(lastSequence: number): RunLog;
  save(manifest: Manifest): Soon<void>;
  /** Stores the final manifest after the log was closed. `told`: values that readers then need not compute. */
  finish(manifest: Manifest, told: ToldAtEnd): Soon<void>;
  /** A manifest as readers will see it. */
  cleaned(manifest: Manifest): Manifest;
  /** Replaces the stored run spec. */
  keepSpec(spec: RunSpec): Soon<void>;
  /** Stores copies that are not stored yet. */
  keepFrozen(copies: Iterable<Frozen> | AsyncIterable<Frozen>): Promise<void>;
  /** Runs a function that writes results; a system error becomes `results-not-written`. */
  writing(work: () => Promise<void>): Promise<void>;
  /** `onFailure`: called when a write fails, which ends the run. */
  artifacts(trial: NumberedTrial, attempt: number, onFailure: (error: unknown) => void): AttemptArtifacts;
  readonly workspaces: KeptWorkspaces;
  /** Removes the run while nothing is in its log. Absent: its store cannot. */
  discard?(): Soon<void>;
  /** Releases the claim. */
  release(): Soon<void>;
}

/** What the end of a run knows about its log and its rows. */
export interface ToldAtEnd {
  readonly byStatus: StatusCounts;
  readonly costUsd: Readonly<Record<Spender, Cost>>;
  /** What the log contains besides the rows; absent when earlier processes wrote a part of it. */
  readonly events?: readonly RunEvent[];
}

/** Where kept workspaces are; all paths are absolute. */
export interface KeptWorkspaces {
  readonly directory: string;
  placeOf(trial: TrialId, attempt: number): string;
  /** A path in the form that rows use. */
  nameOf(path: string): string;
}

/** The lasting name of a reference: `latest` will soon be another run. */
export function nameOfRun({ run, target }: RunReference): string {
  return target === undefined ? run.name : `${run.name}#${target}`;
}

/** For commands that need a whole run. Throws `usage` when the reference names one target. */
export function wholeRun({ run, target }: RunReference, command: string): StoredRun {
  if (target === undefined) return run;
  throw new AssayError('usage', `assay ${command} takes a whole run, not only its target "${target}"`, {
    stage: 'plan',
    hint: `name the run without #${target}`,
  });
}

/** A reader of the run, limited to the target of the reference if it has one. */
export function readerOf({ run, target }: RunReference): RunReader {
  if (target === undefined) return run;
  return {
    ...run,
    manifest: async () => {
      const manifest = await run.manifest();
      return { ...manifest, targets: manifest.targets.filter(({ name }) => name === target) };
    },
    rows: () => rowsOf({ run, target }),
    async *runEvents() {
      for await (const event of run.runEvents?.() ?? []) {
        if (event.trial !== undefined && parseTrialKey(event.trial)?.target !== target) continue;
        yield { ...event, fact: planOf(event.fact, target) };
      }
    },
  };
}

/** The planned trials of one target. */
function planOf(fact: Fact, target: string): Fact {
  if ((fact.type !== 'run-start' && fact.type !== 'run-resume') || fact.plan === undefined) return fact;
  const trials = fact.plan.trialsByTarget?.[target] ?? 0;
  return { ...fact, plan: { ...fact.plan, trials, trialsByTarget: { [target]: trials } } };
}

/** The rows of a reference, limited to its target if it has one. */
export async function* rowsOf({ run, target }: RunReference): AsyncGenerator<Row> {
  for await (const row of run.rows()) if (target === undefined || row.target === target) yield row;
}
