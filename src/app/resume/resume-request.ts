import { AssayError } from '../../core/errors.ts';
import type { RunOptions } from '../../core/run-options.ts';
import type { StoredRun } from '../../core/run-store.ts';
import type { BoundRun } from '../binding/bind.ts';

/** What a resumed run is asked for. */
export interface ResumeRequest extends Pick<RunOptions, 'concurrency' | 'allowUnknownCost'> {
  /** Run directory, run id or its first characters, or `latest`. */
  readonly run: string;
  /** Verdicts to run again: errored, cancelled. */
  readonly retry: readonly string[];
  readonly acceptChanges: boolean;
  /** Whether code of another project's run may be executed. */
  readonly isTrusted: boolean;
  /** Cost limit for all processes of the run together, in US dollars. Absent: the limit of the first start. */
  readonly maxCostUsd?: number;
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

/** Throws `nothing-to-resume` if every trial has an end that stays. */
export async function refuseNothing(
  stored: StoredRun,
  bound: BoundRun,
  request: ResumeRequest,
): Promise<void> {
  if (request.acceptChanges) return;
  let ended = 0;
  for await (const { verdict } of stored.rows()) if (!request.retry.includes(verdict)) ended += 1;
  if (ended < bound.plan.size) return;
  const also = request.retry.length === 0 ? '' : `, and none is ${request.retry.join(' or ')}`;
  throw new AssayError('nothing-to-resume', `all ${ended} trials of ${stored.name} have ended${also}`, {
    stage: 'plan',
    hint: `to run errored or cancelled trials again: assay resume ${stored.name} --retry errored,cancelled`,
  });
}
