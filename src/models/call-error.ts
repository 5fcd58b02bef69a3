import { MeasurementError, type TrialStage } from '../core/errors.ts';
import type { ModelRequest } from '../core/model.ts';
import { FIRST_ASKS } from '../lib/time/reach.ts';
import type { Spender } from '../core/usage.ts';
import type { Failure } from './failure.ts';
import { RETRY_POLICY } from './retry.ts';

/** What cannot be measured when the model of a role fails. */
export const STAGES: Readonly<Record<Spender, TrialStage>> = {
  agent: 'target',
  user: 'user',
  judge: 'grading',
};

interface FailedCall {
  readonly tries: number;
  readonly keyName: string | undefined;
  readonly cause: unknown;
  /** True when one of the attempts may have cost something. */
  readonly isCostUnsure: boolean;
}

/** The error of a request without an answer, for people. */
export function callError(
  failure: Failure,
  request: Pick<ModelRequest, 'model' | 'role'>,
  made: FailedCall,
): MeasurementError {
  const often = made.tries === 1 ? '' : ` (after ${made.tries} attempts)`;
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

/** The error of a request that was not sent, because the first requests could not connect. */
export function notAsked(
  gone: MeasurementError,
  { model, role }: Pick<ModelRequest, 'model' | 'role'>,
): MeasurementError {
  const { kind, detail, hint } = gone;
  const message = `${model}: no request sent, because the first ${FIRST_ASKS} requests failed to connect: ${gone.message}`;
  return new MeasurementError(message, { stage: STAGES[role], kind, detail, hint, cause: gone });
}

function waitOf({ retryAfterMs }: Failure): string {
  return retryAfterMs === undefined ? '' : `; the server asks to wait for ${seconds(retryAfterMs)}`;
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 100) / 10} s`;
}

/** For endpoints that only have chat completions. */
const RESPONSES_ONLY =
  'with the provider `openai`, assay speaks the Responses API; for chat completions, give the provider another name, such as `models.local.baseUrl` and the model `local/NAME`';

function hintOf(
  { detail, kind, url, retryAfterMs = 0 }: Failure,
  model: string,
  keyName: string | undefined,
): string | undefined {
  const { longestWaitMs } = RETRY_POLICY;
  if (retryAfterMs > longestWaitMs) {
    return `assay waits at most ${seconds(longestWaitMs)}; continue after that time with assay resume RUN --retry errored`;
  }
  switch (detail) {
    case 'credentials-rejected':
      return keyName === undefined
        ? 'this endpoint needs an API key: set `apiKeyEnv` to the variable with the key'
        : `the API key in ${keyName} was rejected: correct it, or set \`apiKeyEnv\` to another variable`;
    case 'malformed-answer':
      return isOwnResponses(url) ? RESPONSES_ONLY : undefined;
    case 'model-rejected':
      return `correct the model name, or \`baseUrl\` of its provider${isOwnResponses(url) ? `; ${RESPONSES_ONLY}` : ''}`;
    case 'quota-exhausted':
      return `check the quota and billing of the account for ${keyName ?? 'this key'}`;
    case 'context-length':
      return `shorten the material, or use a model with a larger context than ${model}`;
    default:
      return kind === 'target-unavailable'
        ? 'check that the address is correct and the service is running'
        : undefined;
  }
}

/** Whether the Responses API was asked for at an address that is not the one of OpenAI. */
function isOwnResponses(url: string | undefined): boolean {
  return url?.endsWith('/responses') === true && new URL(url).hostname !== 'api.openai.com';
}
