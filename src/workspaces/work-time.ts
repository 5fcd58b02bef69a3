import { MeasurementError } from '../core/errors.ts';
import { withinTime } from '../lib/time/within-time.ts';

/** How long each part of our own work on a workspace may take: filling it, capturing changes, putting it away. */
export const WORK_MS = 120_000;

/** Does a part of it in that time; `what` begins the message. */
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
