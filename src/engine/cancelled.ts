import { RunCancelled } from '../core/errors.ts';
import type { Decision } from '../core/verdict.ts';

/** Whether a trial must end as cancelled. */
export function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof RunCancelled;
}

/** Whether a trial is abandoned without an end. */
export function isAbandoned(signal: AbortSignal): boolean {
  return signal.aborted && !isCancelled(signal);
}

/** The decision on an attempt that was cancelled before it was judged. */
export const CANCELLED: Decision = { verdict: 'cancelled', score: null, fallenGates: [], ungraded: 0 };
