import type { SendFailure } from './send.ts';

// Provider packages recognise failures by these two messages and these codes, which are those of Node's own `fetch`.

/** There was no answer. */
export function failedFetch(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause });
}

/** The answer began and did not end. */
export function terminated(cause: unknown): TypeError {
  return new TypeError('terminated', { cause });
}

/** An invalid address; an address with credentials is not shown completely. */
export function invalidUrl(shown: string, cause: unknown): TypeError {
  const reason = cause ?? coded('a URL must not contain a user name or password', 'ERR_INVALID_URL');
  return new TypeError(`Failed to parse URL from ${shown}`, { cause: reason });
}

export type SilentCode = 'UND_ERR_HEADERS_TIMEOUT' | 'UND_ERR_BODY_TIMEOUT';

/** Nothing was received for too long. */
export function silentError(code: SilentCode): Error {
  return coded('nothing was received for 300 s', code);
}

export function failureOfSending({ failure, isConnectTimeout }: SendFailure): Error {
  if (isConnectTimeout) return coded(failure.message, 'UND_ERR_CONNECT_TIMEOUT');
  return isClosedByOther(failure) ? coded('other side closed', 'UND_ERR_SOCKET') : failure;
}

/** Why an answer ended early. */
export function failureOfBody(failure: NodeJS.ErrnoException): Error {
  return isClosedByOther(failure) ? coded('other side closed', 'UND_ERR_SOCKET') : failure;
}

/** `node:http` has the same code for a closed and a reset connection. */
function isClosedByOther({ code, message }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' && (message === 'socket hang up' || message === 'aborted');
}

function coded(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
