import type {
  CaseSetFields,
  CaseSetStore,
  CaseSetWrite,
  KeptCaseSet,
  MembersWrite,
} from '../../../core/case-set-store.ts';
import { type Database, type Queries, sqlState } from '../database.ts';
import { plainText, plainTextOf } from '../plain-text.ts';
import {
  NAMED_COLUMNS,
  isAlready,
  newArchivedAt,
  nextTime,
  rowCalled,
  rowsOfPage,
  type RowWrite,
  unchangedRow,
  writeRow,
} from '../write-row.ts';
import { addAtEnd, membersIn, type Refused, removeOne, replaceAll } from './members.ts';

/** The sets of a database that has its schema. */
export function databaseSets(database: Database): CaseSetStore {
  const row = (id: string, expected?: string) => ({ table: 'case_set', id, expected }) as const;
  return {
    list: (page) => rowsOfPage(database, 'case_set', page),
    called: (idOrName) => rowCalled(database, 'case_set', idOrName),
    create: ({ name, description }) => createSet(database, { name, description }),
    change: async (id, change, expected) =>
      await unlessTaken(async () =>
        outcomeOf(
          await writeRow<RowWrite>(database, row(id, expected), async (queries, before) => {
            if (isAlready(before, change)) return unchangedRow(before);
            const { name, description } = { ...before, ...change };
            await queries.query(
              `update case_set set name = $2, description = $3, archived_at = ${newArchivedAt(change.isArchived)}
               where id = $1::uuid`,
              [id, plainText(name), plainTextOf(description)],
            );
            return undefined;
          }),
        ),
      ),
    members: (id) => membersIn(database, id),
    replaceMembers: async (id, members, expected) =>
      membersWritten(await writeRow(database, row(id, expected), replaceAll(id, members))),
    addMembers: async (id, members, expected) =>
      membersWritten(await writeRow(database, row(id, expected), addAtEnd(id, members))),
    removeMember: async (id, caseId, expected) =>
      membersWritten(await writeRow(database, row(id, expected), removeOne(id, caseId))),
  };
}

async function createSet({ query }: Queries, { name, description }: CaseSetFields): Promise<CaseSetWrite> {
  const [set] = await query<KeptCaseSet>(
    `insert into case_set (name, description, created_at, updated_at)
     select $1::text, $2::text, at, at from ${nextTime('case_set')} on conflict (name) do nothing returning ${NAMED_COLUMNS}`,
    [plainText(name), plainTextOf(description)],
  );
  return set === undefined ? { outcome: 'name-taken' } : { outcome: 'written', set };
}

async function unlessTaken<Outcome>(
  work: () => Promise<Outcome>,
): Promise<Outcome | { readonly outcome: 'name-taken' }> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) === '23505') return { outcome: 'name-taken' };
    throw error;
  }
}

function outcomeOf(write: RowWrite): Exclude<CaseSetWrite, { readonly outcome: 'name-taken' }> {
  return 'row' in write ? { outcome: write.outcome, set: write.row } : write;
}

function membersWritten(write: RowWrite | Refused): MembersWrite {
  return 'problems' in write ? write : outcomeOf(write);
}
