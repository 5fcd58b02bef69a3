import {
  LOCAL_ACCOUNT,
  type Account,
  type AccountChange,
  type AccountStore,
} from '../../core/account-store.ts';
import { AssayError } from '../../core/errors.ts';

/** Adds an account. Throws `invalid-email` and `account-exists`. */
export async function addAccount(
  accounts: AccountStore,
  { email, role }: Pick<Account, 'email' | 'role'>,
): Promise<Account> {
  if (email.length > LONGEST_EMAIL || !EMAIL.test(email)) {
    throw refused('invalid-email', `${shown(email)} is not a valid e-mail`, 'write it as name@example.com');
  }
  const added = await accounts.add({ email, role });
  if (added !== undefined) return added;
  const hint = '`assay accounts list` shows it';
  throw refused('account-exists', `an account with the e-mail ${shown(email)} already exists`, hint);
}

/** Changes the role of an account, or disables or enables it. Throws `account-not-found`, `account-local` and `last-admin`. */
export async function changeAccount(
  accounts: AccountStore,
  idOrEmail: string,
  change: AccountChange,
): Promise<Account> {
  const { id } = changeable(await findAccount(accounts, idOrEmail));
  const write = await accounts.change(id, change);
  if (write.outcome === 'unknown') throw accountNotFound(idOrEmail);
  if (write.outcome === 'written') return write.account;
  const message = `${write.account.email} is the last active admin`;
  throw refused('last-admin', message, 'add another admin first: assay accounts add EMAIL --role admin');
}

/** The account with this id or e-mail. Throws `account-not-found`. */
export async function findAccount(
  accounts: Pick<AccountStore, 'called'>,
  idOrEmail: string,
): Promise<Account> {
  const found = await accounts.called(idOrEmail);
  if (found === undefined) throw accountNotFound(idOrEmail);
  return found;
}

/** Throws `account-local` for the account that nobody signs in with. */
export function changeable(account: Account): Account {
  if (account.email !== LOCAL_ACCOUNT) return account;
  const message = 'the account "local" cannot be changed and has no tokens';
  throw refused('account-local', message, 'add an account: assay accounts add EMAIL --role admin');
}

/** The longest e-mail that mail servers accept. */
const LONGEST_EMAIL = 254;

const EMAIL = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;

/** The error of an account that does not exist. */
export function accountNotFound(idOrEmail: string): AssayError {
  const message = `no account has the id or e-mail ${shown(idOrEmail)}`;
  return refused('account-not-found', message, '`assay accounts list` shows the accounts');
}

function shown(text: string): string {
  return JSON.stringify(text.length > LONGEST_EMAIL ? `${text.slice(0, LONGEST_EMAIL)}...` : text);
}

function refused(code: AssayError['code'], message: string, hint: string): AssayError {
  return new AssayError(code, message, { stage: 'plan', hint });
}
