import { setMaxListeners } from 'node:events';

import type { Row, RunState } from '../core/run.ts';
import type { Parts, PlannedTrial } from './parts.ts';
import { rejectTrial } from './reject-trial.ts';
import { runTrial, skipTrial } from './run-trial.ts';
import type { Next, Schedule } from './schedule.ts';

/** How a run is stopped from outside. */
export interface RunControl {
  /** Aborted: nothing new is started. The reason says why. */
  readonly stop: AbortSignal;
  /** Aborted: trials in flight are abandoned without an end. */
  readonly abandon: AbortSignal;
}

export interface ExecuteOptions {
  readonly schedule: Schedule;
  readonly parts: Parts;
  /** Trials at once. */
  readonly concurrency: number;
  readonly control: RunControl;
  /** Stop starting trials after the first one that failed or errored. */
  readonly failFast: boolean;
  /** Whether the money of the run is used up, so that nothing more is started. */
  readonly moneyIsSpent?: () => boolean;
}

/** Runs what the schedule hands out, at most `concurrency` at once, and resolves when nothing is in flight. */
export function execute(options: ExecuteOptions): Promise<Exclude<RunState, 'running'>> {
  const { schedule, parts, control } = options;
  setMaxListeners(0, control.abandon);
  return new Promise((resolve, reject) => {
    let running = 0;
    let abandoned = false;
    let stopped: 'stopped' | 'interrupted' | undefined;
    let failure: { readonly error: unknown } | undefined;

    const pump = () => {
      while (running < options.concurrency && failure === undefined && stopped === undefined) {
        if (control.stop.aborted) stopped = 'interrupted';
        else if (options.moneyIsSpent?.() === true) stopped = 'stopped';
        if (stopped !== undefined) break;
        const next = schedule.next();
        if (next === undefined) break;
        running += 1;
        begin(next, parts, control.abandon).then(
          (row) => finished(next.trial, row),
          (error: unknown) => {
            failure ??= { error };
            finished(next.trial, undefined);
          },
        );
      }
      if (running > 0) return;
      if (failure !== undefined) reject(failure.error);
      else resolve(isComplete() ? 'completed' : (stopped ?? 'interrupted'));
    };

    /** Also when the last trials ended after somebody had asked to stop. */
    const isComplete = () => !abandoned && schedule.next() === undefined;

    const finished = (trial: PlannedTrial, row: Row | undefined) => {
      running -= 1;
      abandoned ||= row === undefined;
      schedule.ended(trial, row);
      if (options.failFast && row !== undefined && !row.passed && row.verdict !== 'skipped')
        stopped ??= 'stopped';
      pump();
    };

    pump();
  });
}

function begin(next: Next, parts: Parts, abandon: AbortSignal): Promise<Row | undefined> {
  const { trial, blockedBy, rejection } = next;
  if (trial.skip !== undefined) return skipTrial(trial, parts, trial.skip);
  if (blockedBy !== undefined) {
    return skipTrial(trial, parts, {
      kind: 'dependency',
      reason:
        blockedBy.trial === 'unplanned'
          ? `depends on "${blockedBy.id}", which does not run on ${trial.target}`
          : `depends on "${blockedBy.id}", which did not pass`,
    });
  }
  if (rejection !== undefined) return rejectTrial(trial, parts, rejection);
  return runTrial(trial, parts, abandon);
}
