import { MeasurementError, type TrialStage } from '../core/errors.ts';
import type { ModelRequest } from '../core/model.ts';
import { FIRST_ASKS } from '../lib/time/reach.ts';
import type { Spender } from '../core/usage.ts';
import type { Failure } from './failure.ts';
import { RETRY_POLICY } from './retry.ts';

/** What cannot be measured when the model of a role cannot be asked. */
export const STAGES: Readonly<Record<Spender, TrialStage>> = {
  agent: 'target',
  user: 'user',
  judge: 'grading',
};

interface FailedCall {
  readonly tries: number;
  readonly keyName: string | undefined;
  readonly cause: unknown;
  /** One of the tries may have cost something. */
  readonly isCostUnsure: boolean;
}

/** The error of a request that brought no answer, in words for people. */
export function callError(
  failure: Failure,
  request: Pick<ModelRequest, 'model' | 'role'>,
  made: FailedCall,
): MeasurementError {
  const often = made.tries === 1 ? '' : ` (asked ${made.tries} times)`;
  return new MeasurementError(`${request.model}: ${failure.message}${often}${waitOf(failure)}`, {
    stage: STAGES[request.role],
    kind: failure.kind,
    detail: failure.detail,
    transient: failure.isTransient,
    retryAfterMs: failure.retryAfterMs,
    hint: hintOf(failure, request.model, made.keyName),
    cause: made.cause,
    isCostUnknown: made.isCostUnsure,
  });
}

/** The error of a request that is not sent any more, because the first ones did not get through. */
export function notAsked(
  gone: MeasurementError,
  { model, role }: Pick<ModelRequest, 'model' | 'role'>,
): MeasurementError {
  const { kind, detail, hint } = gone;
  const message = `${model}: not asked: the first ${FIRST_ASKS} requests did not get through: ${gone.message}`;
  return new MeasurementError(message, { stage: STAGES[role], kind, detail, hint, cause: gone });
}

function waitOf({ retryAfterMs }: Failure): string {
  return retryAfterMs === undefined ? '' : `; it asks to be left alone for ${seconds(retryAfterMs)}`;
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 100) / 10} s`;
}

function hintOf(
  { detail, kind, retryAfterMs = 0 }: Failure,
  model: string,
  keyName: string | undefined,
): string | undefined {
  const { longestWaitMs } = RETRY_POLICY;
  if (retryAfterMs > longestWaitMs) {
    return `it is waited for ${seconds(longestWaitMs)} at most: go on after that time with assay resume RUN --retry errored`;
  }
  switch (detail) {
    case 'credentials-rejected':
      return keyName === undefined
        ? 'this endpoint wants a key: name the variable that holds it in apiKeyEnv'
        : `the key in ${keyName} is not accepted: correct it, or name another variable in apiKeyEnv`;
    case 'model-rejected':
      return `correct the name of the model, or the address of its provider (baseUrl)`;
    case 'quota-exhausted':
      return `the account behind ${keyName ?? 'this key'} has nothing left to spend`;
    case 'context-length':
      return `${model} takes less than it was given: shorten the material or use a model with more room`;
    default:
      return kind === 'target-unavailable'
        ? 'see whether the address is right and the service is up'
        : undefined;
  }
}
