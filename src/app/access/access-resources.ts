import type { Account } from '../../core/account-store.ts';
import type { ApiToken } from '../../core/token-store.ts';

/** An account as API and `--json` show it. */
export function accountResource({ id, email, role, disabledAt, createdAt, updatedAt }: Account) {
  return {
    id,
    email,
    role,
    disabled_at: disabledAt ?? null,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** A token as API and `--json` show it, without the token itself; `now` in milliseconds since 1970. */
export function tokenResource(token: ApiToken, now: number) {
  return {
    id: token.id,
    account_id: token.accountId,
    email: token.email,
    name: token.name,
    role: token.role,
    expires_at: token.expiresAt ?? null,
    last_used_at: token.lastUsedAt ?? null,
    revoked_at: token.revokedAt ?? null,
    created_at: token.createdAt,
    state: stateOf(token, now),
  };
}

function stateOf({ expiresAt, revokedAt }: ApiToken, now: number): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
