import type { Role } from '../../core/access.ts';
import type { AccountStore } from '../../core/account-store.ts';
import type { KnownSession, SessionStore } from '../../core/session-store.ts';
import type { KnownToken, TokenStore } from '../../core/token-store.ts';
import { sha256 } from '../../lib/digest.ts';
import { given } from '../../lib/given.ts';
import type { AccessLimits } from './access-limits.ts';
import { areEqualHashes, hashOfHeader, roleOfToken, type KeptToken } from './api-token.ts';
import { csrfOf } from './session-cookie.ts';

/** Who makes a request. */
export interface Actor {
  readonly accountId: string;
  readonly email: string;
  /** Of account and token the one that may less. */
  readonly role: Role;
  /** Absent: the account `local`, which needs no token. */
  readonly tokenId?: string;
  /** Where a browser makes the request with its cookie. */
  readonly session?: ActorSession;
}

/** The session of a browser. */
export interface ActorSession {
  readonly id: string;
  /** ISO 8601 with microseconds. */
  readonly expiresAt: string;
  /** What a request that changes something must repeat. */
  readonly csrf: string;
}

/** The result of signing in. */
export type SignIn =
  | { readonly outcome: 'signed-in'; readonly actor: Actor }
  /** The request has no token: 401. */
  | { readonly outcome: 'no-token' }
  /** The token is unknown, expired or revoked, or its account is disabled: 401. */
  | { readonly outcome: 'refused' }
  /** The session of the cookie has ended: 401. */
  | { readonly outcome: 'session-ended' }
  /** The same, after too many failures from this address: 429. */
  | { readonly outcome: 'limited'; readonly waitMs: number };

/** What is known of a request before somebody is signed in. */
export interface SignInRequest {
  /** The header `Authorization`. */
  readonly authorization: string | undefined;
  /** The secret in the cookie `assay_session`. `authorization` wins over it. */
  readonly session?: string | undefined;
  /** Address of the client. */
  readonly address: string;
}

/** Signs in who makes a request. */
export interface Authentication {
  authenticate(request: SignInRequest): Promise<SignIn>;
  /** Whether an actor who signed in earlier may still act, for feeds that stay open. */
  isStillSignedIn(actor: Actor): Promise<boolean>;
}

export interface TokenAuthOptions {
  readonly tokens: Pick<TokenStore, 'find' | 'get' | 'used'>;
  readonly sessions: Pick<SessionStore, 'find' | 'get'>;
  readonly limits: Pick<AccessLimits, 'signIn' | 'signInFailed'>;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Signs in by `Authorization: Bearer assay_...`, or by the cookie of a session. A valid token is accepted even where
 * others from its address failed.
 */
export function tokenAuth({ tokens, sessions, limits, now }: TokenAuthOptions): Authentication {
  return {
    async authenticate({ authorization, session, address }) {
      if (authorization === undefined) {
        if (session === undefined) return { outcome: 'no-token' };
        const known = await knownSession(session, sessions);
        const actor = known && (await actorOf(known.known, tokens, now()));
        // Not counted as a failure: an old cookie must not keep its owner from signing in again.
        if (known === undefined || actor === undefined || !isOpen(known, now())) {
          return { outcome: 'session-ended' };
        }
        const { id, expiresAt } = known.session;
        const actorSession = { id, expiresAt, csrf: csrfOf(session) };
        return { outcome: 'signed-in', actor: { ...actor, session: actorSession } };
      }
      const known = await knownToken(authorization, tokens);
      const actor = known && (await actorOf(known, tokens, now()));
      if (actor !== undefined) return { outcome: 'signed-in', actor };
      const waitMs = limits.signIn(address, now());
      if (waitMs > 0) return { outcome: 'limited', waitMs };
      limits.signInFailed(address, now());
      return { outcome: 'refused' };
    },
    async isStillSignedIn({ tokenId, session }) {
      const open = session === undefined ? undefined : await sessions.get(session.id);
      if (session !== undefined && (open === undefined || !isOpen(open, now()))) return false;
      const known = open?.known ?? (tokenId === undefined ? undefined : await tokens.get(tokenId));
      return known !== undefined && roleOfToken(keptToken(known), now()) !== undefined;
    },
  };
}

/** Everybody is the account `local`, an admin. Only for servers that no other machine reaches. */
export function noAuth(accounts: Pick<AccountStore, 'local'>): Authentication {
  let local: Promise<Actor> | undefined;
  const actor = async (): Promise<Actor> => {
    const { id, email, role } = await accounts.local();
    return { accountId: id, email, role };
  };
  return {
    async authenticate() {
      // A failure is not kept, so that the next request asks again.
      local ??= actor().catch((error: unknown) => {
        local = undefined;
        throw error;
      });
      return { outcome: 'signed-in', actor: await local };
    },
    isStillSignedIn: async () => true,
  };
}

async function knownToken(
  authorization: string,
  tokens: TokenAuthOptions['tokens'],
): Promise<KnownToken | undefined> {
  const hash = hashOfHeader(authorization);
  const known = hash === undefined ? undefined : await tokens.find(hash);
  return known !== undefined && hash !== undefined && areEqualHashes(known.sha256, hash) ? known : undefined;
}

async function knownSession(
  secret: string,
  sessions: TokenAuthOptions['sessions'],
): Promise<KnownSession | undefined> {
  const hash = sha256(secret);
  const known = secret === '' ? undefined : await sessions.find(hash);
  return known !== undefined && areEqualHashes(known.sha256, hash) ? known : undefined;
}

function isOpen({ session: { expiresAt, revokedAt } }: KnownSession, now: number): boolean {
  return revokedAt === undefined && Date.parse(expiresAt) > now;
}

async function actorOf(
  known: KnownToken,
  tokens: TokenAuthOptions['tokens'],
  now: number,
): Promise<Actor | undefined> {
  const role = roleOfToken(keptToken(known), now);
  if (role === undefined) return undefined;
  const { token, account } = known;
  if (isUseDue(token.lastUsedAt, now)) await tokens.used(token.id, now);
  return { accountId: account.id, email: account.email, role, tokenId: token.id };
}

function keptToken({ token, account }: KnownToken): KeptToken {
  return {
    role: token.role,
    isRevoked: token.revokedAt !== undefined,
    account: { role: account.role, isDisabled: account.disabledAt !== undefined },
    ...given({ expiresAt: token.expiresAt === undefined ? undefined : Date.parse(token.expiresAt) }),
  };
}

/** Uses are noted once a minute, so that reading writes little. */
const USE_NOTED_MS = 60_000;

function isUseDue(lastUsedAt: string | undefined, now: number): boolean {
  return lastUsedAt === undefined || Date.parse(lastUsedAt) <= now - USE_NOTED_MS;
}
