import type { JsonObject } from '../lib/json.ts';
import type { RunLog } from './log.ts';
import type { TargetVersions } from './target.ts';

/** How a note begins that says why no worker takes trials. It is of use only while the run waits. */
export const WAITING_FOR_WORKERS = 'waiting for a worker';

/** A directory that trials of a run share. */
export interface Ground {
  /** Digest of what makes it that directory. */
  readonly key: string;
  /** Whether only one trial may work in it at a time. */
  readonly isAlone: boolean;
}

/** A trial that may start now, as its plan has it. */
export interface OfferedTrial {
  readonly number: number;
  readonly key: string;
  /** Trials with the same one go to one worker. */
  readonly ground?: Ground;
  /** All that a worker needs of the plan. */
  readonly document: JsonObject;
}

/** A trial whose worker was not heard of for too long. */
export interface LostTrial {
  readonly number: number;
  /** How many leases of this trial ran out. */
  readonly losses: number;
  /** Name of its worker, for people. */
  readonly owner: string;
}

/** Why a running worker takes no trials of a run. */
export interface Refusal {
  /** Name of the worker, for people. */
  readonly worker: string;
  readonly reason: string;
}

/** The versions of programs on a worker that has run trials of a run. */
export interface WorkerVersions {
  /** Its name, for people. */
  readonly worker: string;
  readonly versions: TargetVersions;
}

/** The trials of a run that its conductor hands out. Disposed, it hears nothing any more; what is handed out stays so. */
export interface HandedTrials extends AsyncDisposable {
  /**
   * Offers trials to workers. A trial that was handed out before keeps its worker and its document; gives these. again:
   * lost trials, whose documents are new.
   */
  offer(
    trials: readonly OfferedTrial[],
    how?: 'again',
  ): Promise<readonly Pick<OfferedTrial, 'number' | 'document'>[]>;
  /** Calls `heard` when the log may have ends of trials that workers wrote. */
  onEnded(heard: () => void): void;
  /**
   * Ends the leases that ran out: nothing can be written under them any more. A lost trial is given until it is offered
   * again or withdrawn.
   */
  takeLost(): Promise<readonly LostTrial[]>;
  /** Numbers of the trials that workers gave back because the budget is used up; they are withdrawn. */
  takeUnpaid(): Promise<readonly number[]>;
  /**
   * Why no trial of the run can start now: the refusals of all running workers, none if no worker runs. Undefined while a
   * worker has a trial of the run, or has not refused it.
   */
  refusals(): Promise<readonly Refusal[] | undefined>;
  /** Asks workers to end their trials as cancelled. Gives the numbers of those that no worker had, which are withdrawn. */
  cancel(): Promise<readonly number[]>;
  /** Withdraws a trial: what workers write of it is refused from now on. */
  withdraw(number: number): Promise<void>;
  /** The versions of programs on all workers that have run trials of the run. */
  versions(): Promise<readonly WorkerVersions[]>;
  /** Keeps what a trial was that ended all its workers, with the reason. */
  bury(told: { readonly trial: string; readonly reason: string }): Promise<void>;
  /** Withdraws all trials: what workers write of them is refused from now on. */
  withdrawAll(): Promise<void>;
}

/** The part of a written run that only a store with workers has. */
export interface SharedRun {
  /** Its log, continued after the existing events, where workers write events too. */
  openSharedLog(lastSequence: number): RunLog;
  /** Hands out trials to workers. */
  handOut(): Promise<HandedTrials>;
}

/** The same of a claimed run. */
export interface SharedClaim {
  /** Ends what workers have of it, whose trials this process will run. */
  takeBack(): Promise<void>;
}
