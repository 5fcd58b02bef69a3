import type {
  AgentStore,
  AgentVersionWrite,
  AgentWrite,
  KeptAgentVersion,
  NewAgent,
  NewAgentVersion,
} from '../../../core/agent-store.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { isUuid } from '../../../lib/uuid.ts';
import type { Database, Queries } from '../database.ts';
import { mocksOf, writeMocks } from '../mocks.ts';
import { plainTextOf } from '../plain-text.ts';
import {
  isAlready,
  newArchivedAt,
  nextTime,
  rowCalled,
  rowOf,
  rowsOfPage,
  type RowToWrite,
  type RowWrite,
  unchangedRow,
  writeRow,
} from '../write-row.ts';
import { versionOver } from './agent-version.ts';

/** The agents of a database that has its schema. */
export function databaseAgents(database: Database): AgentStore {
  const row = (id: string, expected?: string) => ({ table: 'agent', id, expected }) as const;
  return {
    list: (page) => rowsOfPage(database, 'agent', page),
    called: (idOrName) => rowCalled(database, 'agent', idOrName),
    create: (agent) => database.transaction((queries) => createAgent(queries, agent)),
    change: async (id, change, expected) =>
      outcomeOf(
        await writeRow<RowWrite>(database, row(id, expected), async ({ query }, before) => {
          if (isAlready(before, change)) return unchangedRow(before);
          const { description } = { ...before, ...change };
          await query(
            `update agent set description = $2, archived_at = ${newArchivedAt(change.isArchived)} where id = $1::uuid`,
            [id, plainTextOf(description)],
          );
          return undefined;
        }),
      ),
    versions: (id, page) => versionsIn(database, id, page),
    version: (id, version) => versionIn(database, id, version),
    addVersion: (id, version) => addVersion(database, row(id), version),
    mocks: async (id) => (isUuid(id) ? ((await mocksOf(database, [id], 'agent')).get(id) ?? []) : []),
    replaceMocks: async (id, mocks, expected) =>
      outcomeOf(
        await writeRow<never>(database, row(id, expected), async (queries) => {
          await writeMocks(queries, new Map([[id, mocks]]), 'agent');
          return undefined;
        }),
      ),
  };
}

const VERSION_COLUMNS = `agent_id as "agentId", version, config, digest, note, created_by as "createdBy",
  created_at as "createdAt"`;

/** With its config as JSON. */
type VersionRow = Omit<KeptAgentVersion, 'config'> & { readonly config: string };

function keptVersion(row: VersionRow): KeptAgentVersion {
  return { ...row, config: JSON.parse(row.config) as JsonObject };
}

async function createAgent(queries: Queries, { name, description, ...first }: NewAgent) {
  const [made] = await queries.query<{ id: string }>(
    `insert into agent (name, description, created_at, updated_at)
     select $1::text, $2::text, at, at from ${nextTime('agent')} on conflict (name) do nothing returning id`,
    [name, plainTextOf(description)],
  );
  if (made === undefined) return { outcome: 'name-taken' } as const;
  await insertVersion(queries, { id: made.id }, first);
  return { outcome: 'written', agent: await known(rowOf(queries, 'agent', made.id)) } as const;
}

/** Two who add at the same time make two versions, one after the other. */
async function addVersion(
  database: Database,
  row: RowToWrite,
  added: NewAgentVersion,
): Promise<AgentVersionWrite> {
  const outcome = await writeRow<AgentVersionWrite>(database, row, async (queries, agent) => {
    const version = await known(versionIn(queries, agent.id, agent.version));
    const isNew = await insertVersion(queries, { id: agent.id, head: version }, added);
    return isNew ? undefined : { outcome: 'unchanged', agent, version };
  });
  if (!('row' in outcome)) return outcome;
  const { row: agent } = outcome;
  const version = await known(versionIn(database, agent.id, agent.version));
  return { outcome: 'written', agent, version };
}

/** Returns whether the config makes a version over the newest one. */
async function insertVersion(
  { query }: Queries,
  { id, head }: { readonly id: string; readonly head?: KeptAgentVersion },
  { config, note, createdBy }: NewAgentVersion,
): Promise<boolean> {
  const made = versionOver(head, config);
  if (made === undefined) return false;
  await query(
    `insert into agent_version (agent_id, version, config, digest, note, created_by)
     values ($1::uuid, $2, $3::text::json, $4, $5, $6::text::uuid)`,
    [id, made.version, JSON.stringify(config), made.digest, plainTextOf(note), createdBy],
  );
  await query('update agent set version = $2 where id = $1::uuid', [id, made.version]);
  return true;
}

async function versionIn(
  { query }: Queries,
  id: string,
  version: number,
): Promise<KeptAgentVersion | undefined> {
  if (!isUuid(id)) return undefined;
  const [row] = await query<VersionRow>(
    `select ${VERSION_COLUMNS} from agent_version where agent_id = $1::uuid and version = $2::float8`,
    [id, version],
  );
  return row && keptVersion(row);
}

async function versionsIn(
  { query }: Queries,
  id: string,
  { limit, before }: Parameters<AgentStore['versions']>[1],
): Promise<readonly KeptAgentVersion[]> {
  if (!isUuid(id)) return [];
  const rows = await query<VersionRow>(
    `select ${VERSION_COLUMNS} from agent_version
     where agent_id = $1::uuid and version < coalesce($2::int, 2147483647)
     order by version desc limit $3::int`,
    [id, before ?? null, limit],
  );
  return rows.map(keptVersion);
}

function outcomeOf(write: RowWrite): AgentWrite {
  return 'row' in write ? { outcome: write.outcome, agent: write.row } : write;
}

/** Of a row that its agent promises. */
async function known<Row>(found: Promise<Row | undefined>): Promise<Row> {
  const row = await found;
  if (row === undefined) throw new Error('an agent has lost its version');
  return row;
}
