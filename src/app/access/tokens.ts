import { covers, lesserRole, mayManageTokens, type Role } from '../../core/access.ts';
import type { Account, AccountStore } from '../../core/account-store.ts';
import { AssayError } from '../../core/errors.ts';
import type { ApiToken, TokenStore } from '../../core/token-store.ts';
import { given } from '../../lib/given.ts';
import { changeable, findAccount } from './accounts.ts';
import { issueToken } from './api-token.ts';

/** Who manages tokens, and where they are kept. */
export interface TokenDesk {
  readonly accounts: Pick<AccountStore, 'called'>;
  readonly tokens: TokenStore;
  readonly by: { readonly accountId: string; readonly role: Role };
}

export interface TokenRequest {
  /** Id or e-mail of the account. */
  readonly account: string;
  readonly name: string;
  /** Default: the role of the account, but at most the role of the creator of the token. */
  readonly role?: Role | undefined;
  /** Milliseconds since 1970. Default: it does not expire. */
  readonly expiresAt?: number | undefined;
}

/** A new token, and the only copy of its text. */
export interface CreatedToken {
  readonly created: ApiToken;
  /** Never stored. */
  readonly secret: string;
}

/**
 * Creates a token; `now` in milliseconds since 1970. Throws `account-not-found`, `foreign-token`, `account-local`, `account-disabled`,
 * `token-name`, `token-role` and `token-expiry`.
 */
export async function createToken(
  { accounts, tokens, by }: TokenDesk,
  request: TokenRequest,
  now: number,
): Promise<CreatedToken> {
  const account = await ownOrAny(accounts, by, request.account);
  refuseDisabled(changeable(account));
  const most = lesserRole(by.role, account.role);
  const { name, role = most, expiresAt } = request;
  refuseName(name);
  if (!covers(most, role)) {
    const message = `the role ${role} is too high for this token: the highest allowed role is ${most}`;
    throw refused('token-role', message, 'choose a lower role');
  }
  if (expiresAt !== undefined && !(expiresAt > now && expiresAt < LATEST_END)) {
    throw refused(
      'token-expiry',
      'the expiry date of the token is in the past, or too far in the future',
      'choose a date in the future, before the year 9999',
    );
  }
  const { token: secret, hash: sha256 } = issueToken();
  const values = { accountId: account.id, name, role, sha256, ...given({ expiresAt }) };
  return { created: await tokens.create(values), secret };
}

/** Revokes a token. Throws `token-not-found` and `foreign-token`. */
export async function revokeToken(
  { tokens, by }: Pick<TokenDesk, 'tokens' | 'by'>,
  id: string,
): Promise<ApiToken> {
  const known = await tokens.get(id);
  if (known !== undefined) refuseForeign(by, known.account.id);
  const revoked = known === undefined ? undefined : await tokens.revoke(id);
  if (revoked !== undefined) return revoked;
  const message = `no token has the id ${JSON.stringify(id)}`;
  throw refused('token-not-found', message, '`assay tokens list` shows the ids');
}

/** Which tokens somebody may list. Throws `account-not-found` and `foreign-token`. */
export async function listableTokens(
  { accounts, by }: Pick<TokenDesk, 'accounts' | 'by'>,
  account: string | undefined,
): Promise<{ readonly accountId?: string }> {
  if (account === undefined) return by.role === 'admin' ? {} : { accountId: by.accountId };
  return { accountId: (await ownOrAny(accounts, by, account)).id };
}

/** Whether an account exists is for admins to know. Throws `account-not-found` and `foreign-token`. */
async function ownOrAny(
  accounts: TokenDesk['accounts'],
  by: TokenDesk['by'],
  idOrEmail: string,
): Promise<Account> {
  if (by.role === 'admin') return await findAccount(accounts, idOrEmail);
  const found = await accounts.called(idOrEmail);
  if (found !== undefined && mayManageTokens(by, found.id)) return found;
  throw foreignToken();
}

const LONGEST_NAME = 255;

/** The years that a time of the API can show. */
const LATEST_END = Date.UTC(9999, 0);

function refuseForeign(by: TokenDesk['by'], ownerId: string): void {
  if (!mayManageTokens(by, ownerId)) throw foreignToken();
}

function foreignToken(): AssayError {
  return refused('foreign-token', 'only an admin may manage tokens of other accounts', 'ask an admin');
}

function refuseDisabled({ email, disabledAt }: Account): void {
  if (disabledAt === undefined) return;
  throw refused('account-disabled', `the account ${email} is disabled`, 'choose another account');
}

function refuseName(name: string): void {
  if (name.trim() !== '' && name.length <= LONGEST_NAME) return;
  const message = name.trim() === '' ? 'the name of the token is blank' : 'the name of the token is too long';
  throw refused('token-name', message, `give a name of at most ${LONGEST_NAME} characters`);
}

function refused(code: AssayError['code'], message: string, hint: string): AssayError {
  return new AssayError(code, message, { stage: 'plan', hint });
}
