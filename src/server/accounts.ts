import type { accountRoutes } from '../api/routes/accounts.ts';
import { z } from 'zod';

import { accountResource, tokenResource } from '../app/access/access-resources.ts';
import { addAccount, changeAccount } from '../app/access/accounts.ts';
import { createToken, listableTokens, revokeToken } from '../app/access/tokens.ts';
import type { Account, PageStart } from '../core/account-store.ts';
import { AssayError } from '../core/errors.ts';
import type { Store } from '../core/store.ts';
import type { ApiToken } from '../core/token-store.ts';
import { given } from '../lib/given.ts';
import type { HandlersOf } from './operation.ts';
import { pageBehind } from './pages.ts';
import { Refusal } from './refusal.ts';
import { sortIn } from './sorted.ts';

/** Accounts and tokens of the store; `now`: milliseconds since 1970. */
export function accountHandlers(
  { accounts, tokens }: Pick<Store, 'accounts' | 'tokens'>,
  now: () => number,
): HandlersOf<typeof accountRoutes> {
  return {
    listAccounts: async ({ query }) => {
      const page = await pageBehind<Account, PageStart>(query, {
        ...byAge,
        read: (limit, after) => accounts.list({ limit, after, direction: sortIn(query.sort)?.direction }),
      });
      return { ...page, data: page.data.map(accountResource) };
    },
    createAccount: async ({ body }) => {
      const added = await naming({ 'invalid-email': 'email' }, () => addAccount(accounts, body));
      return { ...tagged(added), location: `/accounts/${added.id}` };
    },
    changeAccount: async ({ path, body: { role, disabled: isDisabled } }) =>
      tagged(await changeAccount(accounts, path.account, given({ role, isDisabled }))),
    listTokens: async ({ query, actor }) => {
      const filter = await listableTokens({ accounts, by: actor }, query.account);
      const page = await pageBehind<ApiToken, PageStart>(query, {
        ...byAge,
        read: (limit, after) =>
          tokens.list(filter, { limit, after, direction: sortIn(query.sort)?.direction }),
      });
      return { ...page, data: page.data.map((each) => tokenResource(each, now())) };
    },
    createToken: async ({ body, actor }) => {
      const { account = actor.accountId, name, role, expires_at: end } = body;
      const expiresAt = end === undefined ? undefined : Date.parse(end);
      const request = { account, name, role, expiresAt };
      const { created, secret } = await naming(TOKEN_PARAMS, () =>
        createToken({ accounts, tokens, by: actor }, request, now()),
      );
      const headers = { Location: `/api/v1/tokens/${created.id}` };
      return Response.json({ ...tokenResource(created, now()), token: secret }, { status: 201, headers });
    },
    revokeToken: async ({ path, actor }) =>
      tokenResource(await revokeToken({ tokens, by: actor }, path.id), now()),
  };
}

const TOKEN_PARAMS = {
  'account-not-found': 'account',
  'token-name': 'name',
  'token-role': 'role',
  'token-expiry': 'expires_at',
} as const;

/** Names the field of the body that an error is about. */
async function naming<T>(
  params: Readonly<Partial<Record<string, string>>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const param = error instanceof AssayError ? params[error.code] : undefined;
    if (!(error instanceof AssayError) || param === undefined) throw error;
    const { code, message, hint } = error;
    throw new Refusal(422, { code, message, param, ...given({ hint }) });
  }
}

const byAge = {
  place: z.strictObject({ createdAt: z.iso.datetime(), id: z.guid() }),
  placeOf: ({ createdAt, id }: PageStart): PageStart => ({ createdAt, id }),
};

function tagged(account: Account) {
  return { answer: accountResource(account), version: account.updatedAt };
}
