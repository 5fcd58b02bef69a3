/** What an account may do. Each role includes the rights of the roles before it. */
export const ROLES = ['viewer', 'member', 'admin'] as const;

export type Role = (typeof ROLES)[number];

/** Whether a role includes the rights of the needed one. */
export function covers(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The role with fewer rights: a token never has more rights than its account. */
export function lesserRole(one: Role, other: Role): Role {
  return covers(one, other) ? other : one;
}

/** An operation of the API. */
export interface Operation {
  /** In capitals. */
  readonly method: string;
  /** Below `/api/v1`; with parameters in braces, or with their values. */
  readonly path: string;
}

/** The lowest role that an operation needs. Who owns the token or review is checked elsewhere. */
export function neededRole({ method, path }: Operation): Role {
  const isRead = method === 'GET' || method === 'HEAD';
  const rule = RULES.find((each) => each.path.test(path) && !(isRead && each.isForWrites === true));
  return rule?.role ?? (isRead ? 'viewer' : 'member');
}

interface Rule {
  readonly path: RegExp;
  readonly isForWrites?: true;
  readonly role: Role;
}

/** Operations with a role of their own; the first matching rule applies. The others depend on whether they write. */
const RULES: readonly Rule[] = [
  { path: /^\/accounts(?:\/|$)/, role: 'admin' },
  { path: /^\/database(?:\/|$)/, role: 'admin' },
  { path: /^\/settings(?:\/|$)/, isForWrites: true, role: 'admin' },
  { path: /^\/session$/, role: 'viewer' },
  { path: /^\/runs\/[^/]+\/trials\/[^/]+\/reviews$/, role: 'viewer' },
];

/** Whether an account may see and revoke the tokens of another one. */
export function mayManageTokens(
  by: { readonly accountId: string; readonly role: Role },
  ownerId: string,
): boolean {
  return by.accountId === ownerId || by.role === 'admin';
}
