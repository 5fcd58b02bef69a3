import { errorRecord, MeasurementError, type ErrorRecord } from '../core/errors.ts';
import type { AttemptRow, Row } from '../core/run.ts';
import type { PlannedTrial, TrialContext } from './trial-context.ts';
import { unmeasuredRow } from './trial-row.ts';
import { given } from '../lib/given.ts';

/** How often the worker of a trial may be lost. After that, the trial is errored. */
export const MOST_LOSSES = 3;

/** The error of an attempt whose worker was lost. */
export function interruption(worker: string): ErrorRecord {
  const error = new MeasurementError(`${worker} stopped responding during this attempt`, {
    stage: 'log',
    kind: 'interrupted',
    hint: 'if the agent can end its worker, for example by using too much memory, limit what the agent can use',
  });
  return errorRecord(error, { stage: 'log', kind: 'interrupted' });
}

/** The row of a trial whose worker was lost in its last attempt, too often to try it again. */
export function interruptedRow(
  trial: PlannedTrial,
  context: TrialContext,
  attempts: readonly AttemptRow[],
): Row {
  const durationMs = attempts.reduce((sum, each) => sum + each.durationMs, 0);
  const error = attempts.at(-1)?.error;
  return unmeasuredRow(trial, context, { verdict: 'errored', attempts, durationMs, ...given({ error }) });
}
