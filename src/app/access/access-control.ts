import type { Role } from '../../core/access.ts';
import type { Account, AccountStore, PageRange, PageStart } from '../../core/account-store.ts';
import type { ApiToken, TokenStore } from '../../core/token-store.ts';
import { accountNotFound, addAccount, changeAccount, findAccount } from './accounts.ts';
import { createToken, revokeToken, type CreatedToken, type TokenRequest } from './tokens.ts';

/** Accounts and tokens as commands manage them: in a database, or at the server that owns it. */
export interface AccessControl {
  accounts(): Promise<readonly Account[]>;
  addAccount(account: Pick<Account, 'email' | 'role'>): Promise<Account>;
  disableAccount(idOrEmail: string): Promise<Account>;
  /** Of one account (id or e-mail), or of all. */
  tokens(account?: string): Promise<readonly ApiToken[]>;
  createToken(request: TokenRequest): Promise<CreatedToken>;
  revokeToken(id: string): Promise<ApiToken>;
}

/** For who has the database itself, and so may do everything. `now`: milliseconds since 1970. */
export function databaseAccess(
  { accounts, tokens }: { readonly accounts: AccountStore; readonly tokens: TokenStore },
  now: () => number,
): AccessControl {
  const desk = { accounts, tokens, by: OPERATOR };
  return {
    accounts: () => allPages((page) => accounts.list(page)),
    addAccount: (account) => addAccount(accounts, account),
    disableAccount: (idOrEmail) => changeAccount(accounts, idOrEmail, { isDisabled: true }),
    async tokens(account) {
      const accountId = account === undefined ? undefined : (await findAccount(accounts, account)).id;
      return await allPages((page) => tokens.list({ accountId }, page));
    },
    createToken: (request) => createToken(desk, request, now()),
    revokeToken: (id) => revokeToken(desk, id),
  };
}

/** What a command that changes nothing needs. */
export type AccessReader = Pick<AccessControl, 'accounts' | 'tokens'>;

/** Of a database that does not exist. */
export const NO_ACCESS: AccessReader = {
  accounts: async () => [],
  async tokens(account) {
    if (account !== undefined) throw accountNotFound(account);
    return [];
  },
};

/** Not an account: a person who can open the database could also change its rows. */
const OPERATOR: { readonly accountId: string; readonly role: Role } = { accountId: '', role: 'admin' };

const PAGE = 200;

async function allPages<Item extends PageStart>(
  read: (page: PageRange) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (;;) {
    const page = await read({ limit: PAGE, after: all.at(-1) });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
