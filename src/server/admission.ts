import type { Route } from '../api/route.ts';
import { retryAfterSeconds, type AccessLimits } from '../app/access/access-limits.ts';
import { areEqualHashes } from '../app/access/api-token.ts';
import type { Actor, Authentication, SignIn, SignInRequest } from '../app/access/authenticate.ts';
import { covers, neededRole } from '../core/access.ts';
import type { ServerLimits } from '../core/server-limits.ts';
import { openFeeds } from './feeds.ts';
import { Refusal } from './refusal.ts';

/** A request before somebody is signed in. */
export interface AskedRequest extends SignInRequest {
  /** The header `X-Assay-CSRF`. */
  readonly csrf?: string | undefined;
}

/** Decides whom a token lets in. */
export interface TokenAdmission {
  /** Whose token it is. Throws a refusal: 401 or 429. */
  admitToken(token: string, address: string): Promise<Actor>;
}

/** Decides who may make a request. */
export interface Admission {
  /** Who makes a request. Throws a refusal: 401, 403 or 429. */
  admit(request: AskedRequest, route: Route): Promise<Actor>;
  /** Whether somebody may stay on an open feed. */
  mayStay(actor: Actor): Promise<boolean>;
  /** Counts an open feed, and gives what ends it. Throws 429. */
  openFeed(actor: Actor): () => void;
}

export interface AdmissionOptions {
  readonly authentication: Authentication;
  /** Absent: no limits, as on loopback without authentication. */
  readonly limits?: Pick<AccessLimits, 'request' | 'runStart'> & Pick<ServerLimits, 'maxFeeds'>;
  /** Milliseconds of a clock. */
  now(): number;
}

/** Admits those who sign in, have the role of the route, and keep to the limits. */
export function admission({ authentication, limits, now }: AdmissionOptions): Admission & TokenAdmission {
  const feeds = limits && openFeeds(limits.maxFeeds);
  const signedIn = async (request: SignInRequest): Promise<Actor> => {
    const actor = actorOf(await authentication.authenticate(request));
    refuseFast(limits?.request(actor.accountId, now()) ?? 0);
    return actor;
  };
  return {
    async admit(request, route) {
      const operation = `${route.method} ${route.path}`;
      // Programs that watch the server have no account, and who signs in has none yet.
      if (HEALTH.has(route.path) || operation === SIGN_IN) return NOBODY;
      const actor = await signedIn(request);
      refuseForged(actor, route, request.csrf);
      const needed = neededRole(route);
      if (!covers(actor.role, needed)) throw lacksRole(actor, needed);
      if (RUN_STARTS.has(operation)) {
        refuseFast(limits?.runStart(actor.accountId, now()) ?? 0);
      }
      return actor;
    },
    admitToken: (token, address) => signedIn({ authorization: `Bearer ${token}`, address }),
    mayStay: (actor) => authentication.isStillSignedIn(actor),
    openFeed: ({ accountId }) => feeds?.open(accountId) ?? ignore,
  };
}

/** `assay view` needs no sign-in, and allows no changes. */
export const everybody: Admission = {
  admit: async () => NOBODY,
  mayStay: async () => true,
  openFeed: () => ignore,
};

function ignore(): void {}

const NOBODY: Actor = { accountId: '', email: '', role: 'viewer' };

const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

const RUN_STARTS: ReadonlySet<string> = new Set([
  'POST /runs',
  'POST /runs/{run}/resume',
  'POST /runs/{run}/regrade',
]);

const SIGN_IN = 'POST /session';

function actorOf(signIn: SignIn): Actor {
  switch (signIn.outcome) {
    case 'signed-in':
      return signIn.actor;
    case 'no-token':
      throw unauthorized('the request has no token');
    case 'refused':
      throw unauthorized('the token is unknown, expired or revoked');
    case 'session-ended':
      throw unauthorized('the session has ended');
    case 'limited':
      throw tooFast(signIn.waitMs);
    default:
      return signIn satisfies never;
  }
}

function unauthorized(message: string): Refusal {
  return new Refusal(
    401,
    {
      code: 'unauthorized',
      message,
      hint: 'send `Authorization: Bearer TOKEN`, or sign in again; `assay tokens create` makes a token',
    },
    { 'WWW-Authenticate': 'Bearer' },
  );
}

/** A browser adds the cookie to requests of every page, so that a page of ours must prove itself. */
function refuseForged({ session }: Actor, { method }: Route, csrf = ''): void {
  if (session === undefined || method === 'GET' || areEqualHashes(session.csrf, csrf)) return;
  throw new Refusal(403, {
    code: 'csrf',
    message: 'the request has a session, but no valid X-Assay-CSRF header',
    param: 'X-Assay-CSRF',
    hint: 'send `csrf` of `GET /session` in this header',
  });
}

function lacksRole({ email, role }: Actor, needed: string): Refusal {
  return new Refusal(403, {
    code: 'forbidden',
    message: `${email} has the role ${role}; this needs ${needed}`,
    hint: 'ask an admin for another role or token',
  });
}

function refuseFast(waitMs: number): void {
  if (waitMs > 0) throw tooFast(waitMs);
}

function tooFast(waitMs: number): Refusal {
  const seconds = retryAfterSeconds(waitMs);
  return new Refusal(
    429,
    {
      code: 'rate-limited',
      message: 'too many requests within a minute',
      hint: `wait ${seconds} s`,
    },
    { 'Retry-After': String(seconds) },
  );
}
