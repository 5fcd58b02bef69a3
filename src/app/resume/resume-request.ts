import { AssayError } from '../../core/errors.ts';
import type { RunOptions } from '../../core/run-options.ts';

/** What a resumed run is asked for. */
export interface ResumeRequest extends Pick<RunOptions, 'concurrency' | 'maxCostUsd' | 'allowUnknownCost'> {
  /** Run directory, run id or its first characters, or `latest`. */
  readonly run: string;
  /** Verdicts to run again: errored, cancelled. */
  readonly retry: readonly string[];
  readonly acceptChanges: boolean;
  /** Whether code of another project's run may be executed. */
  readonly isTrusted: boolean;
  /** Whether cached answers of the run itself are used. */
  readonly usesOwnAnswers?: true;
  /** Whether it is refused when no trial remains: `nothing-to-resume`. */
  readonly needsWork?: true;
}

export function refuseUnknownVerdicts(retry: readonly string[]): void {
  const unknown = retry.find((verdict) => verdict !== 'errored' && verdict !== 'cancelled');
  if (unknown === undefined) return;
  throw new AssayError('usage', `--retry must be errored or cancelled, not "${unknown}"`, {
    stage: 'plan',
    hint: 'failed trials cannot be retried; use --repeat to measure how often they pass',
  });
}
