import { account, accountBody, accountChange, accounts, accountsQuery } from '../resources/account.ts';
import { createdToken, token, tokenBody, tokens, tokensQuery } from '../resources/token.ts';
import { read, write, type Route } from '../route.ts';

/** Who may use the server. */
export const accountRoutes = {
  listAccounts: read({
    path: '/accounts',
    summary: 'Accounts, oldest first',
    query: accountsQuery,
    answer: accounts,
    needs: 'store',
  }),
  createAccount: write({
    method: 'POST',
    path: '/accounts',
    summary: 'Add an account',
    body: accountBody,
    status: 201,
    answer: account,
    tagged: true,
  }),
  changeAccount: write({
    method: 'PATCH',
    path: '/accounts/{account}',
    summary: 'Change the role of an account (id or e-mail), or disable or enable it',
    body: accountChange,
    status: 200,
    answer: account,
    tagged: true,
  }),
  listTokens: read({
    path: '/tokens',
    summary: 'API tokens, oldest first; their secret values are never shown',
    query: tokensQuery,
    answer: tokens,
    needs: 'store',
  }),
  createToken: write({
    method: 'POST',
    path: '/tokens',
    summary: 'Create an API token; only this answer contains the token itself',
    body: tokenBody,
    status: 201,
    answer: createdToken,
  }),
  revokeToken: write({
    method: 'DELETE',
    path: '/tokens/{id}',
    summary: 'Revoke an API token; requests with it are refused from then on',
    status: 200,
    answer: token,
  }),
} as const satisfies Readonly<Record<string, Route>>;
