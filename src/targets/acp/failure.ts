import { given } from '../../lib/given.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { jsonIn } from '../../lib/text/json-in.ts';
import type { AgentFailure } from '../coding-agent/adapter.ts';
import { countAt, objectAt, textAt } from '../coding-agent/fields.ts';
import { loginFailure, saidFailure } from '../coding-agent/said-failure.ts';

/** Converts an error of the protocol by its text; its code can be the status of the provider. */
export function acpFailure(error: JsonObject): AgentFailure {
  const message =
    textAt(objectAt(error, 'data'), 'details') ?? textAt(error, 'message') ?? 'an error without a text';
  if (error['code'] === AUTH_REQUIRED) return loginFailure(message);
  const code = countAt(error, 'code') ?? 0;
  const failure = failureOfText(message, code >= 400 && code < 600 ? code : undefined);
  // opencode has this text, without the status.
  const isProviders = textAt(objectAt(error, 'data'), 'errorName') === 'APIError';
  return isProviders && failure.kind === 'runner-crash' ? { ...failure, kind: 'http-error' } : failure;
}

/** Converts a text that the agent prints as its answer or as a notice. */
export function hiddenFailure(message: string): AgentFailure {
  const failure = failureOfText(message);
  const kind = failure.kind === 'model-rejected' ? failure.kind : 'http-error';
  return { ...failure, kind, isHeuristic: true };
}

/** Whether a text may be an error of a model provider. */
export function looksLikeError(text: string): boolean {
  return /^(Error:|API Error\b)/.test(text.trim()) || isErrorObject(text);
}

const AUTH_REQUIRED = -32_000;

function failureOfText(message: string, code?: number): AgentFailure {
  const status = code ?? statusIn(message);
  const isModel = status === 404 || /\bmodel\b.{0,200}\b(not found|does not exist)\b/i.test(message);
  if (!isModel) return saidFailure(message, status);
  return { kind: 'model-rejected', message, ...given({ status }) };
}

function statusIn(message: string): number | undefined {
  const found = /\bError: ([45]\d\d)\b|^([45]\d\d) |"code":\s*([45]\d\d)\b|\bstatus:? ([45]\d\d)\b/.exec(
    message,
  );
  const written = found?.slice(1).find((each) => each !== undefined);
  return written === undefined ? undefined : Number(written);
}

function isErrorObject(text: string): boolean {
  const value = jsonIn(text);
  return isObject(value) && Object.hasOwn(value, 'error');
}
