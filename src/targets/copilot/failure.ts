import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { AgentFailure } from '../coding-agent/adapter.ts';
import { countAt, textAt } from '../coding-agent/fields.ts';
import { loginFailure, saidFailure } from '../coding-agent/said-failure.ts';

/** Printed on stderr, or as the error of a session, when credentials are missing. */
export const NO_LOGIN = /No authentication information found/;

/** Converts the data of a `session.error`. */
export function failureOf(error: JsonObject): AgentFailure {
  const message = textAt(error, 'message') ?? 'its session had an error';
  const status = countAt(error, 'statusCode') ?? statusIn(message);
  const isLogin = textAt(error, 'errorType') === 'authentication' || NO_LOGIN.test(message);
  if (status === 404) return { kind: 'model-rejected', status, message };
  if (isLogin) return { ...loginFailure(message), ...given({ status }) };
  const isNetwork = status === undefined && NO_NETWORK.test(message);
  return isNetwork ? { kind: 'target-unavailable', message } : saidFailure(message, status);
}

/** After its own retries only the text has the status. */
function statusIn(message: string): number | undefined {
  const [, status] = /Last error: (\d{3})\b/.exec(message) ?? [];
  return status === undefined ? undefined : Number(status);
}

const NO_NETWORK = /Could not connect|native model HTTP request/;
