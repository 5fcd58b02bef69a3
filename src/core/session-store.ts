import type { KnownToken } from './token-store.ts';

/** A session of a browser, which began with a token. */
export interface WebSession {
  /** A UUID in lower case. */
  readonly id: string;
  /** ISO 8601 with microseconds, like the other time. */
  readonly expiresAt: string;
  readonly revokedAt?: string;
}

/** A session with what decides whether it is accepted. */
export interface KnownSession {
  readonly session: WebSession;
  /** Lower-case hex sha-256 of its cookie. */
  readonly sha256: string;
  /** The token that it began with. */
  readonly known: KnownToken;
}

export interface NewSession {
  readonly tokenId: string;
  readonly sha256: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The sessions of the browsers that use a store. */
export interface SessionStore {
  /** Forgets sessions that expired before `now` (milliseconds since 1970). */
  create(session: NewSession, now: number): Promise<WebSession>;
  get(id: string): Promise<KnownSession | undefined>;
  find(sha256: string): Promise<KnownSession | undefined>;
  /** A second time changes nothing. */
  revoke(id: string): Promise<void>;
}
