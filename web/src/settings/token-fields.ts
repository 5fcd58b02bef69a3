import { covers, ROLES, type Role } from '../../../src/core/access.ts';
import type { FormField, Texts } from '../form/form-field.ts';
import type { KeptEdit } from '../form/kept-edit.ts';

/** The form of a new token, as a role may fill it. */
export function tokenFields(own: Role): readonly FormField[] {
  const account: FormField = {
    name: 'account',
    title: 'Account',
    kind: 'line',
    help: 'An e-mail address. Empty: your own account.',
  };
  return [
    { name: 'name', title: 'Name', kind: 'line', help: 'Where the token is used, such as laptop.' },
    {
      name: 'role',
      title: 'Role',
      kind: 'choice',
      choices: ROLES.filter((role) => covers(own, role)),
      help: 'viewer: reads, and reviews trials. member: also changes cases and starts runs. admin: everything.',
    },
    { name: 'expires_at', title: 'Last day', kind: 'date', help: 'Empty: it does not expire.' },
    ...(own === 'admin' ? [account] : []),
  ];
}

const TEXTS: Texts = { name: '', role: 'viewer', expires_at: '', account: '' };

export const NEW_TOKEN: KeptEdit<Texts> = { now: TEXTS, base: TEXTS, version: '' };

/** As the API takes it: a token is valid until the end of its last day. */
export function tokenBody({ name = '', role = '', expires_at: lastDay = '', account = '' }: Texts) {
  return {
    name,
    role: role as Role,
    ...(lastDay === '' ? {} : { expires_at: new Date(`${lastDay}T23:59:59`).toISOString() }),
    ...(account.trim() === '' ? {} : { account: account.trim() }),
  };
}
