import type {
  CaseSetFields,
  CaseSetStore,
  CaseSetWrite,
  KeptCaseSet,
  MembersWrite,
} from '../../../core/case-set-store.ts';
import { type Database, type Queries, sqlState } from '../database.ts';
import { plainText } from '../plain-text.ts';
import { newArchivedAt, calledBy, nextTime, rowsOfPage, type RowWrite, writeRow } from '../write-row.ts';
import { addAtEnd, membersIn, type Refused, removeOne, replaceAll } from './members.ts';

/** The sets of a database that has its schema. */
export function databaseSets(database: Database): CaseSetStore {
  const write = (id: string, expected: string | undefined) => ({
    table: 'case_set' as const,
    id,
    expected,
    read: (queries: Queries) => setOf(queries, id),
  });
  return {
    list: async (page) => (await rowsOfPage<SetRow>(database, TABLE, page)).map(keptSet),
    called: async (idOrName) => {
      const { where, parameters } = calledBy(plainText(idOrName));
      const [row] = await database.query<SetRow>(
        `select ${COLUMNS} from case_set where ${where}`,
        parameters,
      );
      return row && keptSet(row);
    },
    create: ({ name, description }) => createSet(database, { name, description }),
    change: async (id, change, expected) =>
      await unlessTaken(async () =>
        outcomeOf(
          await writeRow<KeptCaseSet>(database, write(id, expected), async (queries, before) => {
            const { name, description } = { ...before, ...change };
            await queries.query(
              `update case_set set name = $2, description = $3, archived_at = ${newArchivedAt(change.isArchived)}
               where id = $1::uuid`,
              [id, plainText(name), description === null ? null : plainText(description)],
            );
            return undefined;
          }),
        ),
      ),
    members: (id) => membersIn(database, id),
    replaceMembers: async (id, members, expected) =>
      membersWritten(await writeRow(database, write(id, expected), replaceAll(id, members))),
    addMembers: async (id, members, expected) =>
      membersWritten(await writeRow(database, write(id, expected), addAtEnd(id, members))),
    removeMember: async (id, caseId, expected) =>
      membersWritten(await writeRow(database, write(id, expected), removeOne(id, caseId))),
  };
}

const COLUMNS = 'id, name, description, version, archived_at, created_at, updated_at';

const TABLE = { table: 'case_set', columns: COLUMNS } as const;

interface SetRow extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly version: number;
  readonly archived_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

function keptSet({ id, name, description, version, ...times }: SetRow): KeptCaseSet {
  const { archived_at: archivedAt, created_at: createdAt, updated_at: updatedAt } = times;
  return { id, createdAt, updatedAt, name, description, version, archivedAt };
}

async function setOf({ query }: Queries, id: string): Promise<KeptCaseSet | undefined> {
  const [row] = await query<SetRow>(`select ${COLUMNS} from case_set where id = $1::uuid`, [id]);
  return row && keptSet(row);
}

async function createSet({ query }: Queries, { name, description }: CaseSetFields): Promise<CaseSetWrite> {
  const [row] = await query<SetRow>(
    `insert into case_set (name, description, created_at, updated_at)
     select $1::text, $2::text, at, at from ${nextTime('case_set')} on conflict (name) do nothing returning ${COLUMNS}`,
    [plainText(name), description === null ? null : plainText(description)],
  );
  return row === undefined ? { outcome: 'name-taken' } : { outcome: 'written', set: keptSet(row) };
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

function outcomeOf(write: RowWrite<KeptCaseSet>): Exclude<CaseSetWrite, { readonly outcome: 'name-taken' }> {
  return 'row' in write ? { outcome: write.outcome, set: write.row } : write;
}

function membersWritten(write: RowWrite<KeptCaseSet> | Refused): MembersWrite {
  return 'problems' in write ? write : outcomeOf(write);
}
