import { RefusedError } from '../../../src/api/client.ts';

/** Whether something may have been done although an error came back: its answer was lost, or is not there yet. */
export function isUnknownOutcome(error: unknown): boolean {
  if (!(error instanceof RefusedError)) return true;
  return error.status >= 500 || error.problem.code === 'idempotency-running';
}
