import { setMaxListeners } from 'node:events';

import { RunCancelled } from '../core/errors.ts';
import type { Row, RunEndState } from '../core/run.ts';
import type { TrialContext, PlannedTrial } from './trial-context.ts';
import { rejectTrial } from './reject-trial.ts';
import { skipTrial } from './skip-trial.ts';
import type { Next, Schedule } from './schedule.ts';

/** Signals that end a run from outside. */
export interface RunControl {
  /** When aborted: start no more trials. The reason says why. */
  readonly stop: AbortSignal;
  /** When aborted: start no more trials and end the running ones as cancelled. Absent: the run cannot be cancelled. */
  readonly cancel?: AbortSignal | undefined;
  /** When aborted: abandon the running trials without an end. */
  readonly abandon: AbortSignal;
}

/**
 * Runs one trial, here or on a worker. Resolves to its row after that is written, or to undefined if it has no end. Its
 * signal is aborted with `RunCancelled` to end the trial as cancelled, and with any other reason to abandon it.
 */
export type RunOne = (trial: PlannedTrial, signal: AbortSignal) => Promise<Row | undefined>;

export interface RunScheduleOptions {
  readonly schedule: Schedule;
  readonly runOne: RunOne;
  /** Used to write the ends of trials that are not started. */
  readonly context: TrialContext;
  /** Number of parallel trials. */
  readonly concurrency: number;
  readonly control: RunControl;
  /** Start no more trials after the first failed or errored one. */
  readonly failFast: boolean;
  /** Whether no more trials may start: the budget is used up, or what grades was changed. */
  readonly mustEnd?: () => boolean;
}

/** Runs the trials of the schedule, at most `concurrency` in parallel. Resolves when no trial is running. */
export function runSchedule(options: RunScheduleOptions): Promise<RunEndState> {
  const { schedule, control } = options;
  const ending = endingOf(control);
  return new Promise((resolve, reject) => {
    let running = 0;
    let unended = false;
    let isWaiting = false;
    let isOver = schedule.coming === undefined;
    let stopped: Stopped;
    let failure: { readonly error: unknown } | undefined;

    const pump = () => {
      while (running < options.concurrency && failure === undefined && stopped === undefined) {
        stopped = whyStopped(options, undefined);
        if (stopped !== undefined) break;
        const next = schedule.next();
        if (next === undefined) {
          if (!isWaiting) waitForMore();
          break;
        }
        running += 1;
        begin(next, options, ending).then(
          (row) => finished(next.trial, row),
          (error: unknown) => {
            failure ??= { error };
            finished(next.trial, undefined);
          },
        );
      }
      if (running > 0 || isWaiting) return;
      if (failure !== undefined) reject(failure.error);
      else resolve(isComplete() ? 'completed' : (whyStopped(options, stopped) ?? 'interrupted'));
    };

    const waitForMore = () => {
      const coming = schedule.coming?.();
      isOver = coming === undefined;
      if (coming === undefined) return;
      isWaiting = true;
      const goOn = () => {
        isWaiting = false;
        pump();
      };
      coming.then(goOn, (error: unknown) => {
        failure ??= { error };
        goOn();
      });
    };

    /** A run is also complete if its last trials ended after a stop request. */
    const isComplete = () => !unended && isOver && schedule.next() === undefined;

    const finished = (trial: PlannedTrial, row: Row | undefined) => {
      running -= 1;
      unended ||= row === undefined || (ending.aborted && row.verdict === 'cancelled');
      schedule.ended(trial, row);
      if (options.failFast && row !== undefined && !row.passed && row.verdict !== 'skipped')
        stopped ??= 'stopped';
      pump();
    };

    pump();
  });
}

type Stopped = 'stopped' | 'interrupted' | undefined;

/** Why the run stopped. Cancelling overrides an earlier reason (`before`). */
function whyStopped({ control, mustEnd }: RunScheduleOptions, before: Stopped): Stopped {
  if (control.cancel?.aborted === true) return 'stopped';
  if (before !== undefined) return before;
  if (control.stop.aborted) return 'interrupted';
  return mustEnd?.() === true ? 'stopped' : undefined;
}

/** The signal of running trials: aborts with the first of both. */
function endingOf({ cancel, abandon }: RunControl): AbortSignal {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const listen = (signal: AbortSignal, reason: () => unknown) => {
    if (signal.aborted) ending.abort(reason());
    else signal.addEventListener('abort', () => ending.abort(reason()), { once: true });
  };
  listen(abandon, () => abandon.reason);
  if (cancel !== undefined) listen(cancel, () => new RunCancelled());
  return ending.signal;
}

function begin(
  next: Next,
  { context, runOne }: RunScheduleOptions,
  signal: AbortSignal,
): Promise<Row | undefined> {
  const { trial, blockedBy, rejection } = next;
  if (trial.skip !== undefined) return skipTrial(trial, context, trial.skip);
  if (blockedBy !== undefined) {
    return skipTrial(trial, context, {
      kind: 'dependency',
      reason:
        blockedBy.trial === 'unplanned'
          ? `depends on "${blockedBy.id}", which does not run on ${trial.target}`
          : `depends on "${blockedBy.id}", which did not pass`,
    });
  }
  if (rejection !== undefined) return rejectTrial(trial, context, rejection);
  return runOne(trial, signal);
}
