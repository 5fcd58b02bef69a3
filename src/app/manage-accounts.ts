import type { Account } from '../core/account-store.ts';
import { printableLine } from '../lib/text/printable-json.ts';
import { stripLine } from '../lib/text/terminal-text.ts';
import type { AccessControl, AccessReader } from './access/access-control.ts';
import { accountResource } from './access/access-resources.ts';

/** The output of a command about accounts or tokens. */
export interface AccessOutput {
  readonly text: string;
  readonly json: string;
  /** About the text, for people. */
  readonly note?: string;
}

/** Adds an account. Throws `invalid-email` and `account-exists`. */
export async function addedAccount(
  access: AccessControl,
  account: Pick<Account, 'email' | 'role'>,
): Promise<AccessOutput> {
  const added = await access.addAccount(account);
  const email = stripLine(added.email);
  return {
    text: `added ${email} (${added.role})\n`,
    json: printableLine(accountResource(added)),
    note: `create a token for it: assay tokens create ${email} --name NAME\n`,
  };
}

/** All accounts, in the order in which they were added. */
export async function listedAccounts(access: AccessReader): Promise<AccessOutput> {
  const accounts = await access.accounts();
  const lines = accounts.map(({ email, role, disabledAt }) => {
    const state = disabledAt === undefined ? '' : `, disabled ${disabledAt.slice(0, 10)}`;
    return `${stripLine(email)}  (${role}${state})\n`;
  });
  return {
    text: lines.length > 0 ? lines.join('') : 'no accounts; add one: assay accounts add EMAIL --role admin\n',
    json: printableLine(accounts.map(accountResource)),
  };
}

/** Disables an account, whose tokens are then refused. Throws `account-not-found`, `account-local` and `last-admin`. */
export async function disabledAccount(access: AccessControl, idOrEmail: string): Promise<AccessOutput> {
  const disabled = await access.disableAccount(idOrEmail);
  return {
    text: `disabled ${stripLine(disabled.email)}; its tokens are refused from now on\n`,
    json: printableLine(accountResource(disabled)),
  };
}
