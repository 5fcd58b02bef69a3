import type { Role } from './access.ts';
import type { ListSort } from './list-sort.ts';

/** Somebody who may use a server. */
export interface Account {
  /** A UUID in lower case. */
  readonly id: string;
  /** Unique; upper and lower case of ASCII letters count as the same. */
  readonly email: string;
  readonly role: Role;
  /** ISO 8601 with microseconds. Absent: the account is active. */
  readonly disabledAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The name of the account that everybody has on a server without tokens. It signs in nowhere else. */
export const LOCAL_ACCOUNT = 'local';

/** The first item of a page is the one after this. */
export interface PageStart {
  readonly id: string;
  readonly createdAt: string;
}

export interface PageRange {
  readonly limit: number;
  readonly after?: PageStart | undefined;
  /** Absent: the oldest first. */
  readonly direction?: ListSort['direction'] | undefined;
}

/** The accounts of a store, in the order in which they were added. */
export interface AccountStore {
  list(page: PageRange): Promise<readonly Account[]>;
  /** The account with this id or e-mail. */
  called(idOrEmail: string): Promise<Account | undefined>;
  /** Undefined if the e-mail is taken. */
  add(account: Pick<Account, 'email' | 'role'>): Promise<Account | undefined>;
  /** Changes an account, unless this would leave the store without an active admin. */
  change(id: string, change: AccountChange): Promise<AccountWrite>;
  /** The account `local`, which is added if it does not exist. */
  local(): Promise<Account>;
  /** Whether somebody can sign in as an admin at this time (milliseconds since 1970). */
  hasAdminToken(now: number): Promise<boolean>;
}

/** What is absent stays. */
export interface AccountChange {
  readonly role?: Role;
  readonly isDisabled?: boolean;
}

export type AccountWrite =
  | { readonly outcome: 'written' | 'last-admin'; readonly account: Account }
  | { readonly outcome: 'unknown' };
