import { AssayError } from './errors.ts';
import type { Redactor } from '../lib/redact/redact.ts';
import type { RunLog, RunReader } from './log.ts';
import type { RowOutcome } from './row-outcome.ts';
import type { Fact, Frozen, Row, RunEvent, RunState } from './run.ts';
import type { Manifest } from './manifest.ts';
import type { RunSpec } from './run-spec.ts';
import type { Transcript, TranscriptEntry } from './transcript.ts';
import type { Artifacts, AttemptArtifacts } from './target.ts';
import { parseTrialKey, type TrialId } from './trial.ts';
import type { Cost, Spender } from './usage.ts';
import type { StatusCounts } from './verdict.ts';

/** Where runs are kept: run directories, a database, memory. */
export interface RunStore {
  /**
   * A run by its place, its id, the unique beginning of one, or `latest`; `RUN#TARGET` narrows it to a target.
   * Throws `run-not-found` and `run-ambiguous`.
   */
  find(reference: string): Promise<RunReference>;
  /** Ids, oldest first. */
  list(): Promise<readonly string[]>;
  /** A run by its id. */
  open(id: string): StoredRun;
  /** Begins a run and claims it. Throws `results-not-written` where it cannot be kept. */
  create(begin: BegunRun): Promise<OpenRun>;
  /** Claims a run for this process. Throws `run-in-use` where another one writes it. */
  claim(run: StoredRun): Promise<ClaimedRun>;
  /** What a place that people know belongs to, such as the folder of an attempt; undefined: to no run. */
  around(place: string): Promise<NamedInRun | undefined>;
  /** Claims what an ended attempt left, to add to it. Throws `run-in-use` where another process does. */
  claimAttempt(attempt: NamedInRun): Promise<ClaimedAttempt>;
}

/** A run that is about to begin. */
export interface BegunRun {
  /** Milliseconds since 1970; ids sort by it. */
  readonly startedAt: number;
  readonly redactor: Redactor;
  /** What it executes, kept before anybody can find the run; absent: it executes nothing. */
  readonly spec?: RunSpec | undefined;
  /** `place`: where it will be kept. */
  manifest(id: string, place: string): Manifest;
}

/** A run that somebody named. */
export interface RunReference {
  readonly run: StoredRun;
  /** Present for `RUN#TARGET`. */
  readonly target?: string;
}

/** Something of a run, such as the artifacts of an attempt, by the name that rows give it. */
export interface NamedInRun {
  readonly run: StoredRun;
  readonly name: string;
}

/** What an attempt left, which this process alone adds to. */
export interface ClaimedAttempt {
  /** Artifacts below it, under this name; `close` takes secrets out of what others left there. */
  artifacts(name: string, redactor: Redactor): Artifacts & { close(): Promise<unknown> };
  /** Others may add to it again. */
  release(): void;
}

/** At once where files are read and written, later where a database is asked. */
export type Soon<T> = T | Promise<T>;

/** A trial with its place in the plan of its run. */
export type NumberedTrial = TrialId & Pick<Row, 'number'>;

/** A manifest without the list of digests, most of it in a run of many cases. */
export type ManifestHead = Omit<Manifest, 'digests'>;

/** A trial as a run has stored it. */
export interface StoredTrial {
  readonly row: Row;
  /** Of the last attempt. */
  readonly transcript: Transcript;
}

/** A file that an attempt left. */
export interface KeptArtifact {
  /** From 1. */
  readonly attempt: number;
  /** Below the folder of the attempt, with `/`. */
  readonly name: string;
  readonly bytes: number;
}

/** One of them, to be read. */
export interface OpenArtifact {
  readonly bytes: number;
  /** May be read once. */
  content(): AsyncIterable<Uint8Array>;
}

/** Which ends of trials in a log count. */
export interface Ends {
  /** Whether that event is the end of its trial: the last one, and not dropped since. */
  isLast(trial: string, sequence: number): boolean;
  /** Whether a resumption has dropped what its trial had come to by then. */
  isVoid(trial: string, sequence: number): boolean;
  /** The place of a trial among all by its first end, from 1; of one without an end the place after the last. */
  placeOf(trial: string): number;
}

/**
 * A run to read; also one that is being written, or whose process died. Everything streams. Methods throw
 * `run-unreadable` and `run-newer`.
 */
export interface StoredRun extends RunReader {
  /** What people call it. */
  readonly name: string;
  /** Finds it again in its store when there are newer runs. */
  readonly reference: string;
  /** Where it is kept, for people; finds it in any store of the same kind. */
  readonly place: string;
  /** Absolute, for people and programs of theirs: where something lies that rows of this run name. */
  placeOf(name: string): string;
  head(): Promise<ManifestHead>;
  /** Now: a run whose process died says that it is running, and is interrupted. `head`: as it was just read. */
  state(head?: ManifestHead): Promise<RunState>;
  /** `head`: as it was just read. */
  counts(head?: ManifestHead): Promise<StatusCounts>;
  /** What each role spent; absent where the end of the run did not keep it: only the rows tell it then. `head`: as it was just read. */
  costs(head?: ManifestHead): Promise<ToldAtEnd['costUsd'] | undefined>;
  /** What comparing needs of each row, several times as fast as whole rows. */
  outcomes(): AsyncIterable<readonly RowOutcome[]>;
  /** The rows of trials that did not pass as they should and were not skipped. */
  unpassed(): AsyncIterable<Row>;
  rowsOfCases(caseIds: ReadonlySet<string>): AsyncIterable<Row>;
  /** In the order of their last ends. */
  trials(): AsyncIterable<StoredTrial>;
  /** Events with a higher sequence than `after`, in order. */
  events(after?: number): AsyncIterable<RunEvent>;
  ends(): Promise<Ends>;
  /** What it executes; undefined: it was kept without, as runs are that executed nothing. */
  spec(): Promise<RunSpec | undefined>;
  /** Copies of stored cases and what graded them, as they were when the run used them; `digests`: only these. */
  frozen(digests?: ReadonlySet<unknown>): AsyncIterable<Frozen>;
  /** What the attempts of a trial left, without links; at most 1,000 files. */
  artifacts(trial: TrialId): Promise<readonly KeptArtifact[]>;
  /** Undefined: there is no such file, or it is a link or behind one. */
  artifact(trial: TrialId, named: Pick<KeptArtifact, 'attempt' | 'name'>): Promise<OpenArtifact | undefined>;
  /** Another one as soon as what the run has written changes. */
  version(): Promise<string>;
  /** A row as another run of the store may hold it: its answer whole, and its files where they are. */
  movedRow(row: Row, into: Pick<StoredRun, 'place'>): Soon<Row>;
  /** The entry that an event stands for, attachments resolved. */
  wholeEntry(entry: Extract<Fact, { type: 'transcript-entry' }>['entry']): Soon<TranscriptEntry>;
}

/** A run that this process alone may write. */
export interface ClaimedRun {
  /** Once `keepRows` has made its rows anew they are believed as they are; of a run that was killed the log tells them before. */
  readonly run: StoredRun;
  /** The last row of each trial as its log tells it, whatever was made of that. */
  loggedRows(): AsyncIterable<Row>;
  /** Makes its rows anew from the log, and leaves only those that `keep` accepts. */
  keepRows(keep: (row: Row) => boolean): Promise<void>;
  addRows(rows: Iterable<Row>): void;
  /** Removes what attempts left that have no end. `ended`: how many attempts of each trial have one, by its key. */
  dropStrayAttempts(ended: ReadonlyMap<string, number>): Promise<void>;
  /** Saves its manifest as it is from now on, and opens it for writing, without what the redactor hides. */
  open(manifest: Manifest, redactor: Redactor): Soon<OpenRun>;
  /** Others may write it again. */
  release(): Soon<void>;
}

/** A run that is being written. */
export interface OpenRun {
  /** Its rows are believed as they are. */
  readonly run: StoredRun;
  /** As it was opened. */
  readonly manifest: Manifest;
  readonly redactor: Redactor;
  /** Its log, behind the events that are there; `lastSequence`: of these. */
  openLog(lastSequence: number): RunLog;
  save(manifest: Manifest): Soon<void>;
  /** The last word on a run whose log is closed; `told`: so that readers need not look for it again. */
  finish(manifest: Manifest, told: ToldAtEnd): Soon<void>;
  /** A manifest as readers will see it. */
  cleaned(manifest: Manifest): Manifest;
  /** Keeps what it executes, in place of what was kept before. */
  keepSpec(spec: RunSpec): Soon<void>;
  /** Keeps copies that are not there yet. */
  keepFrozen(copies: Iterable<Frozen> | AsyncIterable<Frozen>): Promise<void>;
  /** Does what writes results; what the system refuses becomes `results-not-written`. */
  writing(work: () => Promise<void>): Promise<void>;
  /** `onFailure`: what could not be written ends the run. */
  artifacts(trial: NumberedTrial, attempt: number, onFailure: (error: unknown) => void): AttemptArtifacts;
  readonly workspaces: KeptWorkspaces;
  /** Others may write it again. */
  release(): Soon<void>;
}

/** What the end of a run knows of its log and its rows. */
export interface ToldAtEnd {
  readonly byStatus: StatusCounts;
  readonly costUsd: Readonly<Record<Spender, Cost>>;
  /** What the log tells beside the rows; absent: earlier processes told a part of it. */
  readonly events?: readonly RunEvent[];
}

/** Where workspaces that are kept lie; all paths are absolute. */
export interface KeptWorkspaces {
  readonly directory: string;
  placeOf(trial: TrialId, attempt: number): string;
  /** A path as rows name it. */
  nameOf(path: string): string;
}

/** What a reference is called, whatever it was found by: `latest` is another run soon. */
export function nameOfRun({ run, target }: RunReference): string {
  return target === undefined ? run.name : `${run.name}#${target}`;
}

/** For what works on a whole run: refuses the name of one target of it. */
export function wholeRun({ run, target }: RunReference, command: string): StoredRun {
  if (target === undefined) return run;
  throw new AssayError('usage', `assay ${command} takes a whole run, not only its target "${target}"`, {
    stage: 'plan',
    hint: `name the run without #${target}`,
  });
}

/** A reference as a reader: narrowed to its target where it names one. */
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

/** What was planned, narrowed to a target. */
function planOf(fact: Fact, target: string): Fact {
  if ((fact.type !== 'run-start' && fact.type !== 'run-resume') || fact.plan === undefined) return fact;
  const trials = fact.plan.trialsByTarget?.[target] ?? 0;
  return { ...fact, plan: { ...fact.plan, trials, trialsByTarget: { [target]: trials } } };
}

/** The rows of a reference: those of its target alone, where it names one. */
export async function* rowsOf({ run, target }: RunReference): AsyncGenerator<Row> {
  for await (const row of run.rows()) if (target === undefined || row.target === target) yield row;
}
