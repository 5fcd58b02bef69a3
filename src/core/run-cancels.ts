/** Cancels runs that other processes execute. */
export interface RunCancels {
  /** Asks the process that executes a run to cancel it. */
  ask(run: string): Promise<CancelAnswer>;
  /** Whether that was asked, and no process has claimed the run since. */
  isAsked(run: string): Promise<boolean>;
}

/** asked: the process was asked to stop. waiting: the run is queued, and no process has it. ended: there is nothing to cancel. */
export type CancelAnswer = 'asked' | 'waiting' | 'ended';
