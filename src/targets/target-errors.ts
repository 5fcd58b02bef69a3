import { MeasurementError, type MeasurementErrorOptions } from '../core/errors.ts';

type Options = Omit<MeasurementErrorOptions, 'stage' | 'kind'>;

/** The target could not be started or reached; `transient`: another attempt may succeed. */
export function unavailable(message: string, options: Options = {}): MeasurementError {
  return new MeasurementError(message, { ...options, stage: 'target', kind: 'target-unavailable' });
}

/** The output of the target does not have the documented format. */
export function contractBroken(message: string, options: Options = {}): MeasurementError {
  return new MeasurementError(message, { ...options, stage: 'target', kind: 'contract' });
}

/** A file of the case could not be passed to the target. */
export function fileUnusable(message: string, options: Options = {}): MeasurementError {
  const detail = options.detail ?? 'file-unusable';
  return new MeasurementError(message, { ...options, detail, stage: 'workspace', kind: 'workspace-setup' });
}
