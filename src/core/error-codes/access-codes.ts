import type { ExplainedCode } from './explained-code.ts';

/** Errors of accounts and API tokens. */
export const ACCESS_CODES = {
  'account-disabled': {
    meaning: 'The account is disabled, so it cannot get a token.',
    whatToDo: 'Enable the account, or choose another one.',
  },
  'account-exists': {
    meaning: 'An account with this e-mail already exists.',
    whatToDo: 'Use that account. `assay accounts list` shows it.',
  },
  'account-local': {
    meaning: 'The account `local` stands for everybody on a server without tokens. It cannot be changed.',
    whatToDo: 'Add an account with `assay accounts add`.',
  },
  'account-not-found': {
    meaning: 'No account has this id or e-mail.',
    whatToDo: '`assay accounts list` shows the accounts.',
  },
  'foreign-token': {
    meaning: 'The token belongs to another account, and only an admin may manage it.',
    whatToDo: 'Ask an admin.',
  },
  'invalid-email': {
    meaning: 'The e-mail of an account is not valid.',
    whatToDo: 'Write it as `name@example.com`.',
  },
  'last-admin': {
    meaning: 'Without this account there would be no active admin.',
    whatToDo: 'Add another admin first.',
  },
  'token-expiry': {
    meaning: 'The expiry date of a token is in the past, or too far in the future.',
    whatToDo: 'Choose a date in the future, before the year 9999. Without a date, the token never expires.',
  },
  'token-name': {
    meaning: 'The name of a token is blank or too long.',
    whatToDo: 'Give a name that says where the token is used.',
  },
  'token-not-found': {
    meaning: 'No token has this id.',
    whatToDo: '`assay tokens list` shows the ids.',
  },
  'token-role': {
    meaning: 'The role of the token would allow more than the role of its account.',
    whatToDo: 'Choose a lower role for the token.',
  },
} as const satisfies Readonly<Record<string, ExplainedCode>>;
