import type { AccountResource } from '../../api/resources/account.ts';
import type { TokenResource } from '../../api/resources/token.ts';
import { allPages } from '../../api/all-pages.ts';
import { apiClient, apiSender } from '../../api/client.ts';
import type { Account } from '../../core/account-store.ts';
import type { ApiToken } from '../../core/token-store.ts';
import { given } from '../../lib/given.ts';
import type { AccessControl } from './access-control.ts';

/** Accounts and tokens of the server with this base address of its API. */
export function serverAccess(base: string, ask: typeof fetch): AccessControl {
  const get = apiClient(base, ask);
  const send = apiSender(base, ask);
  return {
    async accounts() {
      const all = await allPages((page) => get<'listAccounts'>('/accounts', { path: {}, query: page }));
      return all.map(accountOf);
    },
    async addAccount({ email, role }) {
      const sent = { path: {}, body: { email, role } };
      return accountOf((await send<'createAccount'>(['POST', '/accounts'], sent)).answer);
    },
    async disableAccount(account) {
      const sent = { path: { account }, body: { disabled: true } };
      return accountOf((await send<'changeAccount'>(['PATCH', '/accounts/{account}'], sent)).answer);
    },
    async tokens(account) {
      const query = given({ account });
      const all = await allPages((page) =>
        get<'listTokens'>('/tokens', { path: {}, query: { ...query, ...page } }),
      );
      return all.map(tokenOf);
    },
    async createToken({ account, name, role, expiresAt }) {
      const end = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
      const body = { account, name, ...given({ role, expires_at: end }) };
      const { answer } = await send<'createToken'>(['POST', '/tokens'], { path: {}, body });
      return { created: tokenOf(answer), secret: answer.token };
    },
    async revokeToken(id) {
      return tokenOf((await send<'revokeToken'>(['DELETE', '/tokens/{id}'], { path: { id } })).answer);
    },
  };
}

function accountOf({ disabled_at: disabledAt, created_at: createdAt, ...rest }: AccountResource): Account {
  const { id, email, role, updated_at: updatedAt } = rest;
  return { id, email, role, ...given({ disabledAt: disabledAt ?? undefined }), createdAt, updatedAt };
}

function tokenOf(resource: TokenResource): ApiToken {
  const { id, account_id: accountId, email, name, role, created_at: createdAt } = resource;
  const times = given({
    expiresAt: resource.expires_at ?? undefined,
    lastUsedAt: resource.last_used_at ?? undefined,
    revokedAt: resource.revoked_at ?? undefined,
  });
  return { id, accountId, email, name, role, ...times, createdAt };
}
