/** What an account may do; each role may all that those before it may. */
export const ROLES = ['viewer', 'member', 'admin'] as const;

export type Role = (typeof ROLES)[number];

/** Whether a role may do what needs another one. */
export function covers(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Of two roles the one that may less: a token may at most what its account may. */
export function lesserRole(one: Role, other: Role): Role {
  return covers(one, other) ? other : one;
}

/** An operation of the API. */
export interface Operation {
  /** In capitals. */
  readonly method: string;
  /** Below `/api/v1`; parameters in braces, or what stands for them. */
  readonly path: string;
}

/** The least role that may do an operation. Whose token or review it is about is another question. */
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

/** Operations that are not told by whether they write; the first that fits holds. */
const RULES: readonly Rule[] = [
  { path: /^\/accounts(?:\/|$)/, role: 'admin' },
  { path: /^\/settings(?:\/|$)/, isForWrites: true, role: 'admin' },
  { path: /^\/session$/, role: 'viewer' },
  { path: /^\/runs\/[^/]+\/trials\/[^/]+\/reviews$/, role: 'viewer' },
];

/** Whether somebody may see and revoke tokens of an account. */
export function mayManageTokens(
  by: { readonly accountId: string; readonly role: Role },
  ownerId: string,
): boolean {
  return by.accountId === ownerId || by.role === 'admin';
}
