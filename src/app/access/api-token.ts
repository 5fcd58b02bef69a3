import { randomBytes, timingSafeEqual } from 'node:crypto';

import { lesserRole, type Role } from '../../core/access.ts';
import { sha256 } from '../../lib/digest.ts';

/** A token that was just made. */
export interface IssuedToken {
  /** Shown once and never kept: `assay_` and 32 random bytes as base64url. */
  readonly token: string;
  /** What is kept: lower-case hex sha-256 of the token. */
  readonly hash: string;
}

export function issueToken(random: (bytes: number) => Uint8Array = randomBytes): IssuedToken {
  const token = `${PREFIX}${Buffer.from(random(RANDOM_BYTES)).toString('base64url')}`;
  return { token, hash: sha256(token) };
}

const PREFIX = 'assay_';
const RANDOM_BYTES = 32;

/** The hash by which the token of an `Authorization` header is looked up; undefined: the header has no token of ours. */
export function hashOfHeader(authorization: string | undefined): string | undefined {
  const [, token] = /^Bearer +(assay_[\w-]{43})$/i.exec(authorization ?? '') ?? [];
  return token === undefined ? undefined : sha256(token);
}

/** Whether two hashes are equal, in a time that tells nothing of where they differ. */
export function areEqualHashes(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A token as it is kept, with what its account says of it. */
export interface KeptToken {
  readonly role: Role;
  /** Milliseconds since 1970; absent: it does not expire. */
  readonly expiresAt?: number;
  readonly isRevoked: boolean;
  readonly account: { readonly role: Role; readonly isDisabled: boolean };
}

/** What a token may do at this time (milliseconds since 1970); undefined: nothing, it is revoked, expired or disabled. */
export function roleOfToken(
  { role, expiresAt, isRevoked, account }: KeptToken,
  now: number,
): Role | undefined {
  const isOver = expiresAt !== undefined && expiresAt <= now;
  return isOver || isRevoked || account.isDisabled ? undefined : lesserRole(role, account.role);
}
