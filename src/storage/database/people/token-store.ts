import type { Role } from '../../../core/access.ts';
import type { ApiToken, KnownToken, NewToken, TokenStore } from '../../../core/token-store.ts';
import { given } from '../../../lib/given.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { type Database, type Parameter, withoutNulls } from '../database.ts';
import { plainText } from '../plain-text.ts';
import { pageSql } from './page-sql.ts';

/** The API tokens of a database that has its schema. */
export function databaseTokens({ query }: Pick<Database, 'query'>): TokenStore {
  const tokens = async (sql: string, parameters: readonly Parameter[]): Promise<readonly ApiToken[]> =>
    (await query<ApiToken>(sql, parameters)).map(withoutNulls);
  const known = async (where: string, value: string): Promise<KnownToken | undefined> => {
    const [row] = await query<KnownRow>(`select ${KNOWN_COLUMNS} from ${KNOWN_TABLES} where ${where}`, [
      value,
    ]);
    return row === undefined ? undefined : knownOf(row);
  };
  return {
    async list({ accountId }, page) {
      if (accountId !== undefined && !isUuid(accountId)) return [];
      const of = accountId === undefined ? [] : [accountId];
      const { sql, parameters } = pageSql('token', page, of);
      const where = accountId === undefined ? 'true' : 'token.account_id = $1::uuid';
      return await tokens(`select ${TOKEN_COLUMNS} from ${KNOWN_TABLES} where ${where} ${sql}`, parameters);
    },
    create: async (token) => (await tokens(INSERT, valuesOf(token)))[0] as ApiToken,
    get: async (id) => (isUuid(id) ? await known('token.id = $1::uuid', id) : undefined),
    find: (sha256) => known('token.sha256 = $1', sha256),
    async revoke(id) {
      if (!isUuid(id)) return undefined;
      return (await tokens(REVOKE, [id]))[0];
    },
    async used(id, at) {
      await query(
        `update api_token set last_used_at = $2::text::timestamptz
         where id = $1::uuid and (last_used_at is null or last_used_at <= $2::text::timestamptz - interval '1 minute')`,
        [id, new Date(at).toISOString()],
      );
    },
  };
}

const TOKEN_COLUMNS = `token.id, token.account_id as "accountId", account.email, token.name, token.role,
  token.expires_at as "expiresAt", token.last_used_at as "lastUsedAt", token.revoked_at as "revokedAt",
  token.created_at as "createdAt"`;

/** A token and its account, under the names of `KNOWN_COLUMNS`. */
export const KNOWN_TABLES = 'api_token as token join account on account.id = token.account_id';

const INSERT = `with token as (
    insert into api_token (account_id, name, role, sha256, expires_at)
    values ($1::uuid, $2, $3, $4, $5::text::timestamptz) returning *
  ) select ${TOKEN_COLUMNS} from token join account on account.id = token.account_id`;

const REVOKE = `with token as (
    update api_token set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = $1::uuid returning *
  ) select ${TOKEN_COLUMNS} from token join account on account.id = token.account_id`;

function valuesOf({ accountId, name, role, sha256, expiresAt }: NewToken): readonly Parameter[] {
  const end = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
  return [accountId, plainText(name), role, sha256, end];
}

/** All columns of a known token. Those of its account have names that no column of a token has. */
export const KNOWN_COLUMNS = `${TOKEN_COLUMNS}, token.sha256, account.role as "accountRole",
  account.disabled_at as "accountDisabledAt", account.created_at as "accountCreatedAt",
  account.updated_at as "accountUpdatedAt"`;

export interface KnownRow extends ApiToken {
  readonly sha256: string;
  readonly accountRole: Role;
  readonly accountDisabledAt: string | null;
  readonly accountCreatedAt: string;
  readonly accountUpdatedAt: string;
}

export function knownOf({ sha256, accountRole: role, ...row }: KnownRow): KnownToken {
  const { accountDisabledAt, accountCreatedAt: createdAt, accountUpdatedAt: updatedAt, ...token } = row;
  const { accountId: id, email } = token;
  const disabledAt = accountDisabledAt ?? undefined;
  const account = { id, email, role, ...given({ disabledAt }), createdAt, updatedAt };
  return { token: withoutNulls(token), sha256, account };
}
