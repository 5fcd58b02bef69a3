import { RunCancelled } from '../core/errors.ts';

/** Whether a trial must end as cancelled. */
export function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof RunCancelled;
}

/** Whether a trial is abandoned without an end. */
export function isAbandoned(signal: AbortSignal): boolean {
  return signal.aborted && !isCancelled(signal);
}
