import type { JsonObject } from '../../lib/json.ts';
import type { AgentFailure } from '../coding-agent/adapter.ts';
import { countAt, objectAt, textAt } from '../coding-agent/fields.ts';
import { saidFailure } from '../coding-agent/said-failure.ts';

/** An `error` event; where the words stand depends on the kind of error. */
export function failureOf(event: JsonObject): AgentFailure {
  const error = objectAt(event, 'error');
  const data = objectAt(error, 'data');
  const name = textAt(error, 'name') ?? 'an error without a name';
  const message = textAt(data, 'message') ?? textAt(error, 'message') ?? name;
  const status = countAt(data, 'statusCode');
  const namesModel = MODEL.test(message) || name === 'ProviderModelNotFoundError';
  // Else a 404 may as well be a wrong address.
  const missesModel = status === 404 && /\bmodel\b/i.test(message);
  if (namesModel || missesModel) {
    return { kind: 'model-rejected', message, ...(status === undefined ? {} : { status }) };
  }
  if (name === 'ProviderAuthError') return { kind: 'http-error', rejectsCredentials: true, message };
  return saidFailure(message, status);
}

/** What stderr tells of a program that printed no event. */
export function failureInStderr(stderr: string): AgentFailure | undefined {
  const line = stderr
    .split('\n')
    .find((text) => MODEL.test(text) || text.includes('ProviderModelNotFoundError'));
  return line === undefined ? undefined : { kind: 'model-rejected', message: line.trim() };
}

const MODEL = /Model not found:/;
