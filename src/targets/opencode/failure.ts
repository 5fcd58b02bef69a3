import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { AgentFailure } from '../coding-agent/adapter.ts';
import { countAt, objectAt, textAt } from '../coding-agent/fields.ts';
import { loginFailure, saidFailure } from '../coding-agent/said-failure.ts';

/** Converts an `error` event; the place of the text depends on the kind of error. */
export function failureOf(event: JsonObject): AgentFailure {
  const error = objectAt(event, 'error');
  const data = objectAt(error, 'data');
  const name = textAt(error, 'name') ?? 'an error without a name';
  const message = textAt(data, 'message') ?? textAt(error, 'message') ?? name;
  const status = countAt(data, 'statusCode');
  const namesModel = isAboutModel(message) || isAboutModel(name);
  // Otherwise a 404 may also be a wrong address.
  const missesModel = status === 404 && /\bmodel\b/i.test(message);
  if (namesModel || missesModel) {
    return { kind: 'model-rejected', message, ...given({ status }) };
  }
  if (name === 'ProviderAuthError') return loginFailure(message);
  return saidFailure(message, status);
}

/** Some events only refer to the log, which goes to stderr with this argument. */
export function loggedFailure(event: JsonObject, stderr: string): AgentFailure | undefined {
  const ref = textAt(objectAt(objectAt(event, 'error'), 'data'), 'ref');
  if (ref === undefined) return undefined;
  const line = stderr.split('\n').find((text) => text.includes(`ref=${ref} `)) ?? '';
  const message = /\berror="((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
  if (message === undefined) {
    const failure = failureOf(event);
    return { ...failure, message: `${failure.message} (args: [${LOG_ARGS.join(', ')}] shows the reason)` };
  }
  return isAboutModel(message) ? { kind: 'model-rejected', message } : saidFailure(message);
}

const LOG_ARGS = ['--print-logs', '--log-level', 'ERROR'];

/** Reads the failure from stderr of a program that printed no event. */
export function failureInStderr(stderr: string): AgentFailure | undefined {
  const line = stderr.split('\n').find(isAboutModel);
  return line === undefined ? undefined : { kind: 'model-rejected', message: line.trim() };
}

function isAboutModel(text: string): boolean {
  return /Model not found:|ProviderModelNotFoundError/.test(text);
}
