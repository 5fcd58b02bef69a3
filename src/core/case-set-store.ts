import type { KeptHead, KeptWrite } from './kept-head.ts';
import type { SortedPage } from './list-sort.ts';

/** A set as a store has it. Its parts are its members. */
export type KeptCaseSet = KeptHead;

/** A case of a set. */
export interface SetMember {
  readonly caseId: string;
  /** At least 1; multiplies the repetitions of a run. */
  readonly repetitions: number;
}

/** What a person says of a set. */
export type CaseSetFields = Pick<KeptCaseSet, 'name' | 'description'>;

/** Absent keys stay. */
export interface CaseSetChange extends Partial<CaseSetFields> {
  readonly isArchived?: boolean;
}

/** Named, ordered and versioned selections of stored cases. */
export interface CaseSetStore {
  list(page: SortedPage): Promise<readonly KeptCaseSet[]>;
  /** The set with this id or exact name. */
  called(idOrName: string): Promise<KeptCaseSet | undefined>;
  create(fields: CaseSetFields): Promise<CaseSetWrite>;
  /** `expected`: its `updatedAt`, else it is stale; absent: any version. */
  change(id: string, change: CaseSetChange, expected?: string): Promise<CaseSetWrite>;
  /** In their order; empty for an unknown set. */
  members(id: string): Promise<readonly SetMember[]>;
  /** Replaces all members; `expected` as of `change`. */
  replaceMembers(id: string, members: readonly SetMember[], expected?: string): Promise<MembersWrite>;
  /** Adds members at the end. */
  addMembers(id: string, members: readonly SetMember[], expected?: string): Promise<MembersWrite>;
  /** Removes a member. A case that is not in the set is a problem. */
  removeMember(id: string, caseId: string, expected?: string): Promise<MembersWrite>;
}

type Written = KeptWrite<'set', KeptCaseSet>;

/** `name-taken`: another set has the name. */
export type CaseSetWrite = Written | { readonly outcome: 'name-taken' };

/** `refused`: nothing is written. */
export type MembersWrite =
  | Written
  | { readonly outcome: 'refused'; readonly problems: readonly MemberProblem[] };

/** Why a case cannot be a member, or cannot be removed. */
export interface MemberProblem {
  /** Position in the given list, from 0. */
  readonly index: number;
  readonly caseId: string;
  /** `unknown`: the store has no such case; `duplicate`: it is a member already; `no-member`: it is not in the set. */
  readonly reason: 'unknown' | 'duplicate' | 'no-member';
}
