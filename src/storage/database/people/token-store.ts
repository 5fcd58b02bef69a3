import type { Role } from '../../../core/access.ts';
import type { ApiToken, KnownToken, NewToken, TokenStore } from '../../../core/token-store.ts';
import { given } from '../../../lib/given.ts';
import { isUuid } from '../../../lib/uuid.ts';
import type { Database, Parameter, SqlRow } from '../database.ts';
import { plainText } from '../plain-text.ts';
import { ACCOUNT_COLUMNS, accountOf, type AccountRow } from './account-store.ts';
import { pageSql } from './page-sql.ts';

/** The API tokens of a database that has its schema. */
export function databaseTokens({ query }: Pick<Database, 'query'>): TokenStore {
  const tokens = async (sql: string, parameters: readonly Parameter[]): Promise<readonly ApiToken[]> =>
    (await query<TokenRow>(sql, parameters)).map(tokenOf);
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

const TOKEN_COLUMNS = `token.id, token.account_id, account.email, token.name, token.role, token.expires_at,
  token.last_used_at, token.revoked_at, token.created_at`;

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

interface TokenRow extends SqlRow {
  readonly id: string;
  readonly account_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly created_at: string;
}

function tokenOf(row: TokenRow): ApiToken {
  const { id, account_id: accountId, email, name, role, created_at: createdAt } = row;
  const times = given({
    expiresAt: row.expires_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
  });
  return { id, accountId, email, name, role, ...times, createdAt };
}

/** The columns of the account, under names that no column of a token has. */
const AS_ACCOUNT = ACCOUNT_COLUMNS.replaceAll(/account\.(\w+)/g, 'account.$1 as of_$1');

/** All columns of a known token. */
export const KNOWN_COLUMNS = `${TOKEN_COLUMNS}, token.sha256, ${AS_ACCOUNT}`;

export type KnownRow = TokenRow & { readonly sha256: string } & {
  readonly [Key in keyof AccountRow as `of_${Key & string}`]: AccountRow[Key];
};

export function knownOf(row: KnownRow): KnownToken {
  const account = accountOf({
    id: row.of_id,
    email: row.of_email,
    role: row.of_role,
    disabled_at: row.of_disabled_at,
    created_at: row.of_created_at,
    updated_at: row.of_updated_at,
  });
  return { token: tokenOf(row), sha256: row.sha256, account };
}
