import type { SessionResource } from '../api/resources/session.ts';
import type { Actor } from '../app/access/authenticate.ts';
import { csrfOf, issueSession, sessionCookie, sessionIn, SESSION_MS } from '../app/access/session-cookie.ts';
import type { SessionStore } from '../core/session-store.ts';
import { sha256 } from '../lib/digest.ts';
import type { TokenAdmission } from './admission.ts';
import type { Handlers } from './operation.ts';
import { Refusal } from './refusal.ts';

export interface SessionDesk {
  readonly sessions: SessionStore;
  readonly admission: TokenAdmission;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Sessions of browsers: a token is exchanged for a cookie. */
export function sessionHandlers({
  sessions,
  admission,
  now,
}: SessionDesk): Pick<Handlers, 'getSession' | 'signIn' | 'signOut'> {
  return {
    getSession: async ({ actor }) => sessionResource(actor),
    signIn: async ({ body, address, request }) => {
      const actor = await admission.admitToken(body.token, address);
      const { tokenId } = actor;
      if (tokenId === undefined) throw notNeeded();
      const { secret, hash } = issueSession();
      const made = await sessions.create({ tokenId, sha256: hash, expiresAt: now() + SESSION_MS }, now());
      await endReplaced(sessions, request);
      const session = { id: made.id, expiresAt: made.expiresAt, csrf: csrfOf(secret) };
      return answered(sessionResource({ ...actor, session }), {
        status: 201,
        cookie: sessionCookie(secret, hostOf(request)),
      });
    },
    signOut: async ({ actor: { session }, request }) => {
      if (session === undefined) throw noSession();
      await sessions.revoke(session.id);
      return answered({ ended: true }, { status: 200, cookie: sessionCookie('', hostOf(request)) });
    },
  };
}

/** The browser keeps one cookie, so nobody could end the earlier session. */
async function endReplaced(sessions: SessionStore, { headers }: Request): Promise<void> {
  const secret = sessionIn(headers.get('cookie') ?? undefined);
  const before = secret === undefined ? undefined : await sessions.find(sha256(secret));
  if (before !== undefined) await sessions.revoke(before.session.id);
}

function sessionResource({ accountId, email, role, session }: Actor): SessionResource {
  const { csrf, expiresAt } = session ?? { csrf: null, expiresAt: null };
  return { account_id: accountId, email, role, csrf, expires_at: expiresAt };
}

function answered(
  body: object,
  { status, cookie }: { readonly status: number; readonly cookie: string },
): Response {
  return Response.json(body, { status, headers: { 'Set-Cookie': cookie } });
}

function hostOf({ headers }: Request): string {
  return headers.get('host') ?? '';
}

function notNeeded(): Refusal {
  return new Refusal(409, {
    code: 'sign-in-not-needed',
    message: 'this server runs without authentication',
    hint: 'use it without a session, or start it with `--auth token`',
  });
}

function noSession(): Refusal {
  return new Refusal(409, {
    code: 'no-session',
    message: 'the request has no browser session',
    hint: 'send it with the cookie `assay_session` and without `Authorization`',
  });
}
