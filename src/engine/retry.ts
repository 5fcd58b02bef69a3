import { MeasurementError } from '../core/errors.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;
const LONGEST_ASKED_WAIT_MS = 600_000;

/** Whether an attempt that ended with this error may be repeated. */
export function isTransient(error: unknown): error is MeasurementError {
  return error instanceof MeasurementError && error.transient;
}

/** Milliseconds to wait before attempt `failed + 1`: as requested by the server, else doubling from half a second. */
export function backoffMs(failed: number, error: MeasurementError): number {
  if (error.retryAfterMs !== undefined) return Math.min(error.retryAfterMs, LONGEST_ASKED_WAIT_MS);
  return Math.min(FIRST_WAIT_MS * 2 ** (failed - 1), LONGEST_WAIT_MS);
}
