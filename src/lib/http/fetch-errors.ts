import type { SendFailure } from './send.ts';

// Packages of providers know failures by these two messages and these codes, which are those of Node's own `fetch`.

/** No answer came. */
export function failedFetch(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause });
}

/** The answer had begun and did not end. */
export function terminated(cause: unknown): TypeError {
  return new TypeError('terminated', { cause });
}

/** An address that cannot be asked; one with credentials is not repeated whole. */
export function invalidUrl(shown: string, cause: unknown): TypeError {
  const reason = cause ?? coded('a URL with a user name or a password cannot be asked', 'ERR_INVALID_URL');
  return new TypeError(`Failed to parse URL from ${shown}`, { cause: reason });
}

export type SilentCode = 'UND_ERR_HEADERS_TIMEOUT' | 'UND_ERR_BODY_TIMEOUT';

/** Nothing was heard for too long. */
export function silentError(code: SilentCode): Error {
  return coded('nothing was received for 300 s', code);
}

export function failureOfSending({ failure, isConnectTimeout }: SendFailure): Error {
  if (isConnectTimeout) return coded(failure.message, 'UND_ERR_CONNECT_TIMEOUT');
  return isClosedByOther(failure) ? coded('other side closed', 'UND_ERR_SOCKET') : failure;
}

/** What broke an answer off. */
export function failureOfBody(failure: NodeJS.ErrnoException): Error {
  return isClosedByOther(failure) ? coded('other side closed', 'UND_ERR_SOCKET') : failure;
}

/** `node:http` has one code for a connection that was closed and one that was reset. */
function isClosedByOther({ code, message }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' && (message === 'socket hang up' || message === 'aborted');
}

function coded(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
