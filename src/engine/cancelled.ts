import { RunCancelled } from '../core/errors.ts';
import type { Decision } from '../core/verdict.ts';

/** Whether a trial is to end as cancelled. */
export function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof RunCancelled;
}

/** Whether a trial is given up without an end. */
export function isAbandoned(signal: AbortSignal): boolean {
  return signal.aborted && !isCancelled(signal);
}

/** Of an attempt that was cancelled before it was judged. */
export const CANCELLED: Decision = { verdict: 'cancelled', score: null, fallenGates: [], ungraded: 0 };
