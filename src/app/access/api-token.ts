import { randomBytes, timingSafeEqual } from 'node:crypto';

import { lesserRole, type Role } from '../../core/access.ts';
import { sha256 } from '../../lib/digest.ts';

/** A new token. */
export interface IssuedToken {
  /** Shown once and never stored: `assay_` and 32 random bytes as base64url. */
  readonly token: string;
  /** The stored value: lower-case hex sha-256 of the token. */
  readonly hash: string;
}

export function issueToken(random: (bytes: number) => Uint8Array = randomBytes): IssuedToken {
  const token = `${PREFIX}${Buffer.from(random(RANDOM_BYTES)).toString('base64url')}`;
  return { token, hash: sha256(token) };
}

const PREFIX = 'assay_';
const RANDOM_BYTES = 32;

/** The hash for looking up the token of an `Authorization` header. Undefined if the header contains no assay token. */
export function hashOfHeader(authorization: string | undefined): string | undefined {
  const [, token] = /^Bearer +(assay_[\w-]{43})$/i.exec(authorization ?? '') ?? [];
  return token === undefined ? undefined : sha256(token);
}

/** Whether two hashes are equal, compared in constant time. */
export function areEqualHashes(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A stored token, with the state of its account. */
export interface KeptToken {
  readonly role: Role;
  /** Milliseconds since 1970. Absent: the token does not expire. */
  readonly expiresAt?: number;
  readonly isRevoked: boolean;
  readonly account: { readonly role: Role; readonly isDisabled: boolean };
}

/** The role of a token at a time (milliseconds since 1970). Undefined if it is revoked, expired or disabled. */
export function roleOfToken(
  { role, expiresAt, isRevoked, account }: KeptToken,
  now: number,
): Role | undefined {
  const isOver = expiresAt !== undefined && expiresAt <= now;
  return isOver || isRevoked || account.isDisabled ? undefined : lesserRole(role, account.role);
}
