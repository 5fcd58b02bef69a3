import type { MembersResource } from '../../../src/api/resources/case-set.ts';

/** A member of a set while it is edited. */
export interface Member {
  readonly id: string;
  /** As it is typed. */
  readonly repetitions: string;
  /** Of a case that was added here. */
  readonly name?: string;
}

export type MemberList = readonly Member[];

export function memberList(members: MembersResource['data']): MemberList {
  return members.map(({ test_case_id: id, repetitions }) => ({ id, repetitions: String(repetitions) }));
}

/** With one member at another place. A place outside the list is its nearest end. */
export function moved(list: MemberList, from: number, to: number): MemberList {
  const member = list[from];
  if (member === undefined) return list;
  return list.toSpliced(from, 1).toSpliced(Math.min(Math.max(to, 0), list.length - 1), 0, member);
}

export function withRepetitions(list: MemberList, id: string, repetitions: string): MemberList {
  return list.map((member) => (member.id === id ? { ...member, repetitions } : member));
}

/** As the API takes it. A text that is not a number is sent as it is: the server says what is wrong. */
export function membersBody(
  list: MemberList,
): { readonly test_case_id: string; readonly repetitions: number }[] {
  return list.map(({ id, repetitions }) => ({
    test_case_id: id,
    repetitions: (/^\s*\d+\s*$/.test(repetitions) ? Number(repetitions) : repetitions) as number,
  }));
}

/** Whether two lists save the same. */
export function isSameList(one: MemberList, other: MemberList): boolean {
  return JSON.stringify(membersBody(one)) === JSON.stringify(membersBody(other));
}
