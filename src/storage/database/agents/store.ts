import type {
  AgentStore,
  AgentVersionWrite,
  AgentWrite,
  KeptAgent,
  KeptAgentVersion,
  NewAgent,
  NewAgentVersion,
} from '../../../core/agent-store.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { isUuid } from '../../../lib/uuid.ts';
import type { Database, Queries } from '../database.ts';
import { mocksOf, writeMocks } from '../mocks.ts';
import { plainText } from '../plain-text.ts';
import { newArchivedAt, calledBy, nextTime, rowsOfPage, type RowWrite, writeRow } from '../write-row.ts';
import { versionOver } from './agent-version.ts';

/** The agents of a database that has its schema. */
export function databaseAgents(database: Database): AgentStore {
  const row = (id: string, expected?: string) => ({
    table: 'agent' as const,
    id,
    expected,
    read: (queries: Queries) => agentOf(queries, id),
  });
  return {
    list: async (page) => (await rowsOfPage<AgentRow>(database, TABLE, page)).map(keptAgent),
    called: async (idOrName) => {
      const { where, parameters } = calledBy(plainText(idOrName));
      const [found] = await database.query<AgentRow>(
        `select ${COLUMNS} from agent where ${where}`,
        parameters,
      );
      return found && keptAgent(found);
    },
    create: (agent) => database.transaction((queries) => createAgent(queries, agent)),
    change: async (id, change, expected) =>
      outcomeOf(
        await writeRow<KeptAgent>(database, row(id, expected), async ({ query }, before) => {
          const { description } = { ...before, ...change };
          await query(
            `update agent set description = $2, archived_at = ${newArchivedAt(change.isArchived)} where id = $1::uuid`,
            [id, textOrNull(description)],
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
        await writeRow<KeptAgent>(database, row(id, expected), async (queries) => {
          await writeMocks(queries, new Map([[id, mocks]]), 'agent');
          return undefined;
        }),
      ),
  };
}

const COLUMNS = 'id, name, description, version, archived_at, created_at, updated_at';

const TABLE = { table: 'agent', columns: COLUMNS } as const;

interface AgentRow extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly version: number;
  readonly archived_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

function keptAgent({ id, name, description, version, ...times }: AgentRow): KeptAgent {
  const { archived_at: archivedAt, created_at: createdAt, updated_at: updatedAt } = times;
  return { id, createdAt, updatedAt, name, description, version, archivedAt };
}

const VERSION_COLUMNS = 'agent_id, version, config, digest, note, created_by, created_at';

interface VersionRow extends Readonly<Record<string, unknown>> {
  readonly agent_id: string;
  readonly version: number;
  /** JSON. */
  readonly config: string;
  readonly digest: string;
  readonly note: string | null;
  readonly created_by: string | null;
  readonly created_at: string;
}

function keptVersion({ version, config, digest, note, ...row }: VersionRow): KeptAgentVersion {
  const { agent_id: agentId, created_by: createdBy, created_at: createdAt } = row;
  return { agentId, version, config: JSON.parse(config) as JsonObject, digest, note, createdBy, createdAt };
}

async function agentOf({ query }: Queries, id: string): Promise<KeptAgent | undefined> {
  const [found] = await query<AgentRow>(`select ${COLUMNS} from agent where id = $1::uuid`, [id]);
  return found && keptAgent(found);
}

async function createAgent(queries: Queries, { name, description, ...first }: NewAgent) {
  const [made] = await queries.query<{ id: string }>(
    `insert into agent (name, description, created_at, updated_at)
     select $1::text, $2::text, at, at from ${nextTime('agent')} on conflict (name) do nothing returning id`,
    [name, textOrNull(description)],
  );
  if (made === undefined) return { outcome: 'name-taken' } as const;
  await insertVersion(queries, { id: made.id }, first);
  return { outcome: 'written', agent: await known(agentOf(queries, made.id)) } as const;
}

/** Two who add at the same time make two versions, one after the other. */
async function addVersion(
  database: Database,
  row: Parameters<typeof writeRow<KeptAgent, AgentVersionWrite>>[1],
  added: NewAgentVersion,
): Promise<AgentVersionWrite> {
  const outcome = await writeRow<KeptAgent, AgentVersionWrite>(database, row, async (queries, agent) => {
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
    [id, made.version, JSON.stringify(config), made.digest, textOrNull(note), createdBy],
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

function outcomeOf(write: RowWrite<KeptAgent>): AgentWrite {
  return 'row' in write ? { outcome: write.outcome, agent: write.row } : write;
}

/** Of a row that its agent promises. */
async function known<Row>(found: Promise<Row | undefined>): Promise<Row> {
  const row = await found;
  if (row === undefined) throw new Error('an agent has lost its version');
  return row;
}

function textOrNull(text: string | null): string | null {
  return text === null ? null : plainText(text);
}
