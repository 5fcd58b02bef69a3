import type { ApiToken } from '../core/token-store.ts';
import { printableLine } from '../lib/text/printable-json.ts';
import { stripLine } from '../lib/text/terminal-text.ts';
import type { AccessControl, AccessReader } from './access/access-control.ts';
import { tokenResource } from './access/access-resources.ts';
import type { TokenRequest } from './access/tokens.ts';
import type { AccessOutput } from './manage-accounts.ts';

/** Creates a token: its text is the output, once; `now` in milliseconds since 1970. Throws what `createToken` throws. */
export async function createdToken(
  access: AccessControl,
  request: TokenRequest,
  now: number,
): Promise<AccessOutput> {
  const { created, secret } = await access.createToken(request);
  const { email, role, expiresAt } = created;
  const end = expiresAt === undefined ? 'it does not expire' : `it expires ${minuteOf(expiresAt)}`;
  return {
    text: `${secret}\n`,
    json: printableLine({ ...tokenResource(created, now), token: secret }),
    note: `a token for ${stripLine(email)} (${role}); ${end}. It is shown only once: keep it as ASSAY_TOKEN\n`,
  };
}

/** The tokens of an account, or of all; `now` in milliseconds since 1970. Throws `account-not-found`. */
export async function listedTokens(
  access: AccessReader,
  account: string | undefined,
  now: number,
): Promise<AccessOutput> {
  const tokens = await access.tokens(account);
  const lines = tokens.map((token) => {
    const { id, email, name, role } = token;
    return `${id}  ${stripLine(email)}  ${stripLine(name)}  (${[role, ...factsOf(token, now)].join(', ')})\n`;
  });
  return {
    text:
      lines.length > 0 ? lines.join('') : 'no tokens; create one: assay tokens create EMAIL --name NAME\n',
    json: printableLine(tokens.map((token) => tokenResource(token, now))),
  };
}

/** Revokes a token; `now` in milliseconds since 1970. Throws `token-not-found`. */
export async function revokedToken(access: AccessControl, id: string, now: number): Promise<AccessOutput> {
  const revoked = await access.revokeToken(id);
  return {
    text: `revoked ${stripLine(revoked.name)} of ${stripLine(revoked.email)}\n`,
    json: printableLine(tokenResource(revoked, now)),
  };
}

function factsOf({ lastUsedAt, expiresAt, revokedAt }: ApiToken, now: number): readonly string[] {
  const used = lastUsedAt === undefined ? 'never used' : `last used ${minuteOf(lastUsedAt)}`;
  if (revokedAt !== undefined) return [used, `revoked ${minuteOf(revokedAt)}`];
  if (expiresAt === undefined) return [used];
  return [used, `${Date.parse(expiresAt) <= now ? 'expired' : 'expires'} ${minuteOf(expiresAt)}`];
}

/** `2027-01-31 10:00Z` */
function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')}Z`;
}
