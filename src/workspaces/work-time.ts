import { MeasurementError } from '../core/errors.ts';
import { withinTime } from '../lib/time/within-time.ts';

/** Time limit of each step of assay's own work on a workspace: filling it, capturing changes, keeping it. */
export const WORK_MS = 120_000;

/** Runs a step within that time limit; `what` is the start of the message. */
export function inWorkTime<T>(
  what: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = () =>
    new MeasurementError(`${what} took longer than ${WORK_MS / 1000} seconds`, {
      stage: 'workspace',
      kind: 'timeout',
      detail: 'workspace-work',
      hint: 'make the workspace smaller',
    });
  return withinTime({ ms: WORK_MS, late }, signal, work);
}
