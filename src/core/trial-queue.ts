import type { OfferedTrial } from './handed-trials.ts';
import type { EventLog } from './log.ts';
import type { Manifest } from './manifest.ts';
import type { KeptWorkspaces, NumberedTrial, StoredRun } from './run-store.ts';
import type { AttemptArtifacts, TargetVersions } from './target.ts';
import type { SharedLimits } from './shared-limits.ts';
import type { Redactor } from '../lib/redact/redact.ts';

/** Who takes trials. */
export interface WorkerIdentity {
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** How many trials it runs in parallel. */
  readonly slots: number;
}

/** A trial that this worker has a lease on, until its end is written. */
export interface TakenTrial extends OfferedTrial {
  readonly run: string;
  /** Everything that it writes carries it. */
  readonly lease: string;
  /** Aborted with `RunCancelled` when its run is cancelled, and with `lease-lost` when another process has it. */
  readonly ending: AbortSignal;
  /**
   * Tells that it waits for budget, or no longer does. Gives whether other trials of the run go on, which may leave some of
   * what is set aside for them.
   */
  waits(isWaiting: boolean): Promise<{ readonly othersGoOn: boolean }>;
  /** Gives it back without an end. `unpaid`: the budget of the run is used up. */
  giveBack(why: 'stopped' | 'unpaid'): Promise<void>;
  /** Stops renewing the lease. */
  release(): Promise<void>;
}

/** A run whose trials a worker runs. */
export interface WorkedRun {
  readonly stored: StoredRun;
  readonly workspaces: KeptWorkspaces;
  /** The log under the lease of a trial. */
  logOf(trial: TakenTrial): EventLog;
  artifacts(taken: TakenTrial, trial: NumberedTrial, how: KeptAttempt): AttemptArtifacts;
}

/** An attempt whose files are kept. */
export interface KeptAttempt {
  /** From 1. */
  readonly attempt: number;
  /** Called when a write fails. */
  readonly onFailure: (error: unknown) => void;
}

/** A run with trials that a worker may take. */
export interface WaitingRun {
  readonly id: string;
  /** How many of them this worker takes, so that all workers are equally busy. */
  readonly share: number;
}

/** What a worker sees of the queue. Disposed, it leaves. */
export interface WorkerDesk extends AsyncDisposable {
  /** Of this worker. */
  readonly id: string;
  /** Keeps what a later worker on this machine has to clear if this one is killed. */
  keepLeftovers(leftovers: WorkerLeftovers): Promise<void>;
  /** The runs with waiting trials that it has not refused, the oldest first. */
  runs(): Promise<readonly WaitingRun[]>;
  /**
   * Takes up to `most` trials of a run. If `signal` aborts before they are taken, it rejects with the reason of the signal,
   * and other workers can take them.
   */
  take(run: string, most: number, signal: AbortSignal): Promise<readonly TakenTrial[]>;
  /** Tells others that it takes no more trials. */
  stopTaking(): Promise<void>;
  /** Keeps the versions of programs that targets of a run have here. */
  tellVersions(run: string, versions: TargetVersions): Promise<void>;
  /** Takes no trials of this run any more. The reason is shown to people. If it cannot be written, `runs` tries again. */
  refuse(run: string, reason: string): Promise<void>;
  /** Whether the run goes on, so that what was opened for it is kept. */
  isUnderWay(run: string): Promise<boolean>;
  /** The limits of providers' keys that all workers share. */
  openLimits(): SharedLimits;
  /** Opens a run to write trials into it. */
  open(run: string, redactor: Redactor): WorkedRun;
  /** Calls `heard` when there may be new trials. */
  onOffer(heard: () => void): void;
}

/** How the processes and temporary folders of a killed process are found. */
type Leftovers = NonNullable<Manifest['leftovers']>;

/** What has to be cleared if a worker is killed. */
interface WorkerLeftovers extends Leftovers {
  /** Only processes with the same one can tell from its process id whether the worker runs. */
  readonly pidSpace?: string;
}

/** A worker that has not left by itself: it runs, or it was killed. */
export interface LeftWorker extends Pick<WorkerIdentity, 'pid'> {
  readonly id: string;
  /** Whether it told in time that it runs. A worker that was killed a moment ago did. */
  readonly isAlive: boolean;
  readonly leftovers: WorkerLeftovers;
}

/** A trial that a worker runs now. */
export interface WorkedTrial {
  readonly run: string;
  readonly trial: string;
  readonly since: string;
}

export interface ListedWorker extends WorkerIdentity {
  readonly id: string;
  readonly startedAt: string;
  readonly isAlive: boolean;
  /** Whether it runs, and takes no more trials. */
  readonly isStopping: boolean;
  readonly seenAt: string;
  readonly trials: readonly WorkedTrial[];
  readonly refusals: readonly { readonly run: string; readonly reason: string }[];
}

/** The queue of trials of a store that many processes can reach. */
export interface TrialQueue {
  /** Joins as a worker. */
  join(worker: WorkerIdentity): Promise<WorkerDesk>;
  /** The workers of a machine that run, or that were killed. */
  left(host: string): Promise<readonly LeftWorker[]>;
  /** What a killed worker left is cleared. */
  forgetLeft(worker: string): Promise<void>;
  /** The workers of the last day, the newest first. */
  workers(): Promise<readonly ListedWorker[]>;
}
