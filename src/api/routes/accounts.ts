import { account, accountBody, accountChange, accounts, accountsQuery } from '../resources/account.ts';
import { createdToken, token, tokenBody, tokens, tokensQuery } from '../resources/token.ts';
import { create, readStore, write, type Route } from '../route.ts';

/** Who may use the server. */
export const accountRoutes = {
  listAccounts: readStore({
    path: '/accounts',
    summary: 'Accounts, oldest first',
    query: accountsQuery,
    answer: accounts,
  }),
  createAccount: create({
    path: '/accounts',
    summary: 'Add an account',
    body: accountBody,
    answer: account,
    tagged: true,
  }),
  changeAccount: write({
    method: 'PATCH',
    path: '/accounts/{account}',
    summary: 'Change the role of an account (id or e-mail), or disable or enable it',
    body: accountChange,
    answer: account,
    tagged: true,
  }),
  listTokens: readStore({
    path: '/tokens',
    summary: 'API tokens, oldest first; their secret values are never shown',
    query: tokensQuery,
    answer: tokens,
  }),
  createToken: create({
    path: '/tokens',
    summary: 'Create an API token; only this answer contains the token itself',
    body: tokenBody,
    answer: createdToken,
  }),
  revokeToken: write({
    method: 'DELETE',
    path: '/tokens/{id}',
    summary: 'Revoke an API token; requests with it are refused from then on',
    answer: token,
  }),
} as const satisfies Readonly<Record<string, Route>>;
