import { randomBytes } from 'node:crypto';

import { sha256 } from '../../lib/digest.ts';

/** How long a session lasts, in milliseconds. */
export const SESSION_MS = 12 * 60 * 60 * 1000;

/** A new session. */
export interface IssuedSession {
  /** The value of the cookie: 32 random bytes as base64url. Never stored. */
  readonly secret: string;
  /** The stored value. */
  readonly hash: string;
}

export function issueSession(random: (bytes: number) => Uint8Array = randomBytes): IssuedSession {
  const secret = Buffer.from(random(RANDOM_BYTES)).toString('base64url');
  return { secret, hash: sha256(secret) };
}

const NAME = 'assay_session';
const RANDOM_BYTES = 32;

/** What a page sends in `X-Assay-CSRF`. Another site knows neither this nor the cookie that it comes from. */
export function csrfOf(secret: string): string {
  return sha256(`csrf ${secret}`);
}

/** The secret in the header `Cookie`. Undefined if it has no session; empty if the session cannot be one of ours. */
export function sessionIn(header: string | undefined): string | undefined {
  for (const each of (header ?? '').split(';')) {
    const [name = '', value = ''] = each.trim().split('=', 2);
    if (name === NAME) return /^[\w-]{43}$/.test(value) ? value : '';
  }
  return undefined;
}

/** The header `Set-Cookie` of a session; an empty secret removes the cookie. `host`: as the browser names the server. */
export function sessionCookie(secret: string, host: string): string {
  const seconds = secret === '' ? 0 : SESSION_MS / 1000;
  // A browser keeps no secure cookie of a server that it reaches without TLS, as on loopback.
  const secure = isLoopbackHost(host) ? '' : '; Secure';
  return `${NAME}=${secret}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}

function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(host);
}
