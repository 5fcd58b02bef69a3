import type { LoadedConfig } from '../authoring/config/load-config.ts';
import { agentConfigFaults } from '../authoring/config/stored-agent-config.ts';
import { checkAgentMocks } from '../authoring/config/stored-agent-mocks.ts';
import { checkStoredAgent } from '../authoring/config/stored-agent.ts';
import { type AgentPlace, storeRules, type StoreAccess } from '../authoring/config/store-rules.ts';
import type {
  AgentStore,
  AgentVersionWrite,
  AgentWrite,
  KeptAgent,
  KeptAgentVersion,
} from '../core/agent-store.ts';
import { AssayError } from '../core/errors.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import { bodyMistakes } from './access/json-body.ts';
import { type Probe, probeAgent } from './probe-agent.ts';
import { allTargets } from './registry.ts';

/** The agents of a store, and what they are checked against. */
export interface AgentRoom {
  readonly agents: AgentStore;
  /** The config of the server. */
  readonly loaded: LoadedConfig;
  readonly place: AgentPlace;
}

/** Opens the agents of a server with this config. */
export async function agentRoom(
  agents: AgentStore,
  loaded: LoadedConfig,
  access: Omit<StoreAccess, 'environment'>,
): Promise<AgentRoom> {
  return { agents, loaded, place: await agentPlace(loaded, access) };
}

/** What agents of the store are checked against under this config. */
export async function agentPlace(
  loaded: LoadedConfig,
  access: Omit<StoreAccess, 'environment'>,
): Promise<AgentPlace> {
  return {
    plugins: await allTargets(),
    targets: [...loaded.written.keys()],
    rules: storeRules({ ...access, environment: loaded.environment }),
  };
}

/** Adds an agent. Throws the mistakes of the body, and `name-taken`. */
export async function createAgent(
  { agents, place }: Pick<AgentRoom, 'agents' | 'place'>,
  written: unknown,
  createdBy: string | null,
): Promise<KeptAgent> {
  const { name } = isObject(written) ? written : {};
  if (typeof name === 'string' && place.targets.includes(name)) {
    throw nameTaken(`the config of the server has a target called ${JSON.stringify(name)}`);
  }
  const { agent, faults } = checkStoredAgent(written, place);
  if (agent === undefined) throw bodyMistakes(faults);
  const { description = null, note = null } = agent;
  const made = await agents.create({ ...agent, description, note, createdBy });
  if (made.outcome === 'written') return made.agent;
  throw nameTaken(`another agent has the name ${JSON.stringify(agent.name)}`);
}

/** Adds a version, unless its config is that of the newest one. Throws the mistakes of the config. */
export async function addAgentVersion(
  { agents, place }: Pick<AgentRoom, 'agents' | 'place'>,
  id: string,
  added: { readonly config: JsonObject; readonly note: string | null; readonly createdBy: string | null },
): Promise<Exclude<AgentVersionWrite, { readonly outcome: 'unknown' }>> {
  const agent = await agentOf(agents, id);
  const faults = agentConfigFaults(added.config, place);
  if (faults.length > 0) throw bodyMistakes(faults);
  const write = await agents.addVersion(agent.id, added);
  if (write.outcome === 'unknown') throw agentNotFound(id);
  return write;
}

/** Replaces the mocks of an agent. Throws their mistakes. */
export async function replaceAgentMocks(
  agents: AgentStore,
  { id, expected }: { readonly id: string; readonly expected: string | undefined },
  written: unknown,
): Promise<AgentWrite> {
  const agent = await agentOf(agents, id);
  const { config } = await versionOf(agents, agent);
  const { mocks, faults } = checkAgentMocks(written, config);
  if (mocks === undefined) throw bodyMistakes(faults);
  return await agents.replaceMocks(agent.id, mocks, expected);
}

/** Time limit of a probe. */
const PROBE_MS = 60_000;

/** Sends "Hello" to a version of an agent; absent: the newest. */
export async function probeVersion(
  { agents, loaded, place }: AgentRoom,
  { id, version }: { readonly id: string; readonly version: number | undefined },
  signal: AbortSignal,
): Promise<Probe & { readonly version: number }> {
  const agent = await agentOf(agents, id);
  const probed = await versionOf(agents, agent, version);
  const mocks = await agents.mocks(agent.id);
  const used = { name: agent.name, config: probed.config, mocks };
  const request = { agent: used, loaded, place, timeoutMs: PROBE_MS };
  return { ...(await probeAgent(request, signal)), version: probed.version };
}

/** The agent of an id. Throws `agent-not-found`. */
export async function agentOf(agents: Pick<AgentStore, 'called'>, id: string): Promise<KeptAgent> {
  const found = await agents.called(id);
  if (found?.id !== id.toLowerCase()) throw agentNotFound(id, found);
  return found;
}

/** A version of an agent; absent: the newest. Throws `agent-version-not-found`. */
export async function versionOf(
  agents: Pick<AgentStore, 'version'>,
  agent: KeptAgent,
  version: number = agent.version,
): Promise<KeptAgentVersion> {
  const found = await agents.version(agent.id, version);
  if (found !== undefined) return found;
  throw new AssayError(
    'agent-version-not-found',
    `the agent ${JSON.stringify(agent.name)} has no version ${version}`,
    {
      stage: 'plan',
      hint: `its newest version is ${agent.version}`,
    },
  );
}

/** The error of an id that no agent has. `named`: the agent with this name. */
export function agentNotFound(id: string, named?: KeptAgent): AssayError {
  const shown = JSON.stringify(id);
  return new AssayError('agent-not-found', `no agent has the id ${shown}`, {
    stage: 'plan',
    hint:
      named === undefined
        ? 'GET /api/v1/agents lists the agents'
        : `${shown} is a name, and this address takes an id: ${named.id}`,
  });
}

function nameTaken(message: string): AssayError {
  return new AssayError('name-taken', message, { stage: 'plan', hint: 'choose another name' });
}
