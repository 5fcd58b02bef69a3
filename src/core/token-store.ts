import type { Account, PageRange } from './account-store.ts';
import type { Role } from './access.ts';

/** An API token as a store has it: without the token itself. */
export interface ApiToken {
  /** A UUID in lower case. */
  readonly id: string;
  readonly accountId: string;
  /** E-mail of the account. */
  readonly email: string;
  /** Given by people to recognise it. */
  readonly name: string;
  /** At most this, and at most the role of the account. */
  readonly role: Role;
  /** ISO 8601 with microseconds, like the other times. Absent: it does not expire. */
  readonly expiresAt?: string;
  /** To the minute. Absent: never used. */
  readonly lastUsedAt?: string;
  readonly revokedAt?: string;
  readonly createdAt: string;
}

/** A token with what decides whether it is accepted. */
export interface KnownToken {
  readonly token: ApiToken;
  /** Lower-case hex sha-256 of the token. */
  readonly sha256: string;
  readonly account: Account;
}

export interface NewToken extends Pick<ApiToken, 'accountId' | 'name' | 'role'> {
  readonly sha256: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** The API tokens of a store, in the order in which they were created. */
export interface TokenStore {
  /** Also revoked and expired ones; `accountId`: only those of this account. */
  list(filter: { readonly accountId?: string | undefined }, page: PageRange): Promise<readonly ApiToken[]>;
  create(token: NewToken): Promise<ApiToken>;
  get(id: string): Promise<KnownToken | undefined>;
  find(sha256: string): Promise<KnownToken | undefined>;
  /** Revokes a token; a second time changes nothing. Undefined: no token has this id. */
  revoke(id: string): Promise<ApiToken | undefined>;
  /** Notes a use (milliseconds since 1970), unless one within the last minute is noted. */
  used(id: string, at: number): Promise<void>;
}
