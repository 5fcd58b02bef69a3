import { isDeepStrictEqual } from 'node:util';

import type { MemberProblem, MembersWrite, SetMember } from '../../../core/case-set-store.ts';
import { isUuid } from '../../../lib/uuid.ts';
import type { Queries } from '../database.ts';

/** The members of a set, in their order. */
export async function membersIn({ query }: Queries, set: string): Promise<readonly SetMember[]> {
  if (!isUuid(set)) return [];
  return await query<SetMember>(
    `select test_case_id as "caseId", repetitions from case_set_member where case_set_id = $1::uuid order by position`,
    [set],
  );
}

/** Nothing was written. */
export type Refused = Extract<MembersWrite, { readonly outcome: 'refused' }>;

/** Writes members of a set, and its version where they change. Returns the problems if nothing was written. */
type Change = (queries: Queries) => Promise<Refused | undefined>;

export function replaceAll(set: string, members: readonly SetMember[]): Change {
  return async (queries) => {
    const problems = await problemsOf(queries, members, []);
    if (problems.length > 0) return { outcome: 'refused', problems };
    if (isDeepStrictEqual(members, await membersIn(queries, set))) return undefined;
    await queries.query('delete from case_set_member where case_set_id = $1::uuid', [set]);
    await insert(queries, set, members);
    await count(queries, set);
    return undefined;
  };
}

export function addAtEnd(set: string, members: readonly SetMember[]): Change {
  return async (queries) => {
    const problems = await problemsOf(queries, members, await membersIn(queries, set));
    if (problems.length > 0) return { outcome: 'refused', problems };
    if (members.length === 0) return undefined;
    await insert(queries, set, members);
    await count(queries, set);
    return undefined;
  };
}

/** The others keep their positions, so that pages of the set stay right. */
export function removeOne(set: string, caseId: string): Change {
  return async (queries) => {
    const removed = await queries.query(
      'delete from case_set_member where case_set_id = $1::uuid and test_case_id::text = $2 returning 1 as one',
      [set, caseId],
    );
    if (removed.length === 0) {
      return { outcome: 'refused', problems: [{ index: 0, caseId, reason: 'no-member' }] };
    }
    await count(queries, set);
    return undefined;
  };
}

async function problemsOf(
  { query }: Queries,
  members: readonly SetMember[],
  there: readonly SetMember[],
): Promise<readonly MemberProblem[]> {
  const rows = await query<{ id: string }>('select id from test_case where id = any($1::text[]::uuid[])', [
    members.map(({ caseId }) => caseId).filter(isUuid),
  ]);
  const known = new Set(rows.map(({ id }) => id));
  const taken = new Set(there.map(({ caseId }) => caseId));
  return members.flatMap(({ caseId }, index): readonly MemberProblem[] => {
    if (!known.has(caseId)) return [{ index, caseId, reason: 'unknown' }];
    if (taken.has(caseId)) return [{ index, caseId, reason: 'duplicate' }];
    taken.add(caseId);
    return [];
  });
}

async function insert({ query }: Queries, set: string, members: readonly SetMember[]): Promise<void> {
  await query(
    `insert into case_set_member (case_set_id, test_case_id, position, repetitions)
     select $1::uuid, member."caseId", start + ordinality - 1, member.repetitions
     from (select coalesce(max(position) + 1, 0) as start from case_set_member where case_set_id = $1::uuid) as there,
       rows from (json_to_recordset($2::text::json) as ("caseId" uuid, repetitions int)) with ordinality
         as member ("caseId", repetitions, ordinality)`,
    [set, JSON.stringify(members)],
  );
}

async function count({ query }: Queries, set: string): Promise<void> {
  await query('update case_set set version = version + 1 where id = $1::uuid', [set]);
}
