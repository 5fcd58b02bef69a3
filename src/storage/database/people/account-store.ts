import {
  LOCAL_ACCOUNT,
  type Account,
  type AccountChange,
  type AccountStore,
  type AccountWrite,
} from '../../../core/account-store.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { type Database, type Queries, withoutNulls } from '../database.ts';
import { plainText } from '../plain-text.ts';
import { pageSql } from './page-sql.ts';

/** The accounts of a database that has its schema. */
export function databaseAccounts(database: Database): AccountStore {
  return {
    async list(page) {
      const { sql, parameters } = pageSql('account', page);
      const rows = await database.query<Account>(
        `select ${ACCOUNT_COLUMNS} from account where true ${sql}`,
        parameters,
      );
      return rows.map(withoutNulls);
    },
    called: (idOrEmail) => called(database, idOrEmail),
    async add({ email, role }) {
      const [row] = await database.query<Account>(
        `insert into account (email, role) values ($1, $2) on conflict do nothing returning ${ACCOUNT_COLUMNS}`,
        [email, role],
      );
      return row && withoutNulls(row);
    },
    change: (id, change) => database.transaction((queries) => changed(queries, id, change)),
    async local() {
      await database.query(`insert into account (email, role) values ($1, 'admin') on conflict do nothing`, [
        LOCAL_ACCOUNT,
      ]);
      return (await called(database, LOCAL_ACCOUNT)) as Account;
    },
    async hasAdminToken(now) {
      const rows = await database.query(
        `select from account join api_token on account_id = account.id
         where account.role = 'admin' and api_token.role = 'admin' and disabled_at is null
           and revoked_at is null and (expires_at is null or expires_at > $1::text::timestamptz) limit 1`,
        [new Date(now).toISOString()],
      );
      return rows.length > 0;
    },
  };
}

/** All columns of an account. */
const ACCOUNT_COLUMNS = `account.id, account.email, account.role, account.disabled_at as "disabledAt",
  account.created_at as "createdAt", account.updated_at as "updatedAt"`;

async function called({ query }: Queries, idOrEmail: string): Promise<Account | undefined> {
  const id = idOrEmail.toLowerCase();
  const [row] = await query<Account>(
    isUuid(id)
      ? `select ${ACCOUNT_COLUMNS} from account where id = $1::uuid`
      : `select ${ACCOUNT_COLUMNS} from account where lower(email collate "C") = lower($1 collate "C")`,
    [isUuid(id) ? id : plainText(idOrEmail)],
  );
  return row && withoutNulls(row);
}

/** Locks all active admins, so that two of them who are disabled at the same time do not both succeed. */
async function changed(
  queries: Queries,
  id: string,
  { role, isDisabled }: AccountChange,
): Promise<AccountWrite> {
  const admins = await queries.query<{ id: string }>(
    `select id from account where role = 'admin' and disabled_at is null and email <> $1 order by id for update`,
    [LOCAL_ACCOUNT],
  );
  const account = isUuid(id) ? await called(queries, id) : undefined;
  if (account === undefined) return { outcome: 'unknown' };
  const isLost = isDisabled === true || (role !== undefined && role !== 'admin');
  if (isLost && admins.length === 1 && admins[0]?.id === account.id) {
    return { outcome: 'last-admin', account };
  }
  const [row] = await queries.query<Account>(
    `update account set role = coalesce($2, role), disabled_at = case $3::boolean
       when true then coalesce(disabled_at, clock_timestamp()) when false then null else disabled_at end
     where id = $1::uuid returning ${ACCOUNT_COLUMNS}`,
    [account.id, role ?? null, isDisabled ?? null],
  );
  return row === undefined ? { outcome: 'unknown' } : { outcome: 'written', account: withoutNulls(row) };
}
