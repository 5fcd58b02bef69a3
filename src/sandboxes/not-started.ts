import { MeasurementError } from '../core/errors.ts';

/** The error of a sandbox that could not be started, for this reason. */
export function notStarted(why: string, cause?: unknown): MeasurementError {
  return new MeasurementError(`the sandbox could not be started: ${why}`, {
    stage: 'target',
    kind: 'sandbox',
    hint: 'run `assay doctor --sandbox` to see what this machine can do',
    ...(cause === undefined ? {} : { cause }),
  });
}
