import type { agentRoutes } from '../api/routes/agents.ts';
import { z } from 'zod';

import type { AgentResource, AgentVersionResource } from '../api/resources/agent.ts';
import type { ConfigTargetResource } from '../api/resources/config-target.ts';
import type { ToolMocks } from '../api/resources/test-case.ts';
import type { Tagged } from '../api/route.ts';
import {
  addAgentVersion,
  agentNotFound,
  agentOf,
  type AgentRoom,
  createAgent,
  probeVersion,
  replaceAgentMocks,
  versionOf,
} from '../app/agent-room.ts';
import { configTargets, type ConfigTarget } from '../app/config-targets.ts';
import { shownMock } from '../app/test-cases.ts';
import type { AgentStore, AgentWrite, KeptAgent, KeptAgentVersion } from '../core/agent-store.ts';
import { given } from '../lib/given.ts';
import type { HandlersOf } from './operation.ts';
import { pageBehind } from './pages.ts';
import { namedPage, namedResource } from './sorted.ts';
import { Refusal, stale } from './refusal.ts';

type AgentHandlers = HandlersOf<typeof agentRoutes>;

/** The agents of the store. */
export function agentHandlers(room: AgentRoom): AgentHandlers {
  const { agents } = room;
  const listTargets = async () => ({ data: configTargets(room).map(targetResource) });
  return { ...heads(room), ...versions(room), ...mocks(agents), listTargets };
}

function heads({ agents, ...room }: AgentRoom) {
  const write = async (id: string, outcome: AgentWrite) => {
    if (outcome.outcome === 'unknown') throw agentNotFound(id, await agents.called(id));
    if (outcome.outcome === 'stale') throw stale((await tagged(agents, outcome.agent)).answer);
    return await tagged(agents, outcome.agent);
  };
  return {
    listAgents: ({ query }) => namedPage(query, agents),
    createAgent: async ({ body, actor }) => {
      const made = await createAgent({ agents, ...room }, body, actor.accountId);
      return { ...(await tagged(agents, made)), location: `/agents/${made.id}` };
    },
    getAgent: async ({ path }) => await tagged(agents, await agentOf(agents, path.id)),
    changeAgent: async ({ path, expected, body: { archived: isArchived, description } }) => {
      const change = given({ description, isArchived });
      return await write(path.id, await agents.change(path.id.toLowerCase(), change, expected));
    },
    archiveAgent: async ({ path, expected }) =>
      await write(path.id, await agents.change(path.id.toLowerCase(), { isArchived: true }, expected)),
  } satisfies Partial<AgentHandlers>;
}

function versions(room: AgentRoom) {
  const { agents } = room;
  return {
    listAgentVersions: async ({ path, query }) => {
      const { id } = await agentOf(agents, path.id);
      const page = await pageBehind(query, {
        place: z.int(),
        placeOf: ({ version }: KeptAgentVersion) => version,
        read: (limit, before) => agents.versions(id, { limit, before }),
      });
      return { ...page, data: page.data.map(versionResource) };
    },
    addAgentVersion: async ({ path, body: { config, note = null }, actor }) => {
      const added = { config, note, createdBy: actor.accountId };
      const { outcome, agent, version } = await addAgentVersion(room, path.id, added);
      const answer = versionResource(version);
      if (outcome === 'unchanged') return Response.json(answer);
      const location = `/api/v1/agents/${agent.id}/versions/${version.version}`;
      return Response.json(answer, { status: 201, headers: { Location: location } });
    },
    getAgentVersion: async ({ path }) => {
      const agent = await agentOf(agents, path.id);
      return versionResource(await versionOf(agents, agent, versionIn(path.version)));
    },
    probeAgent: async ({ path, body, signal }) => {
      const probed = await probeVersion(room, { id: path.id, version: body.version }, signal);
      const { version, durationMs, answer = null, usage = null, error } = probed;
      const { kind = '', detail = null, message = '', hint = null } = error ?? {};
      const failed = error === undefined ? null : { kind, detail, message, hint };
      return { version, duration_ms: durationMs, answer, usage, error: failed };
    },
  } satisfies Partial<AgentHandlers>;
}

function mocks(agents: AgentStore) {
  const shown = async ({ id, updatedAt }: KeptAgent): Promise<Tagged<ToolMocks>> => ({
    answer: { data: (await agents.mocks(id)).map(shownMock) as ToolMocks['data'] },
    version: updatedAt,
  });
  return {
    getAgentMocks: async ({ path }) => await shown(await agentOf(agents, path.id)),
    replaceAgentMocks: async ({ path, expected, body }) => {
      const write = await replaceAgentMocks(agents, { id: path.id, expected }, body);
      if (write.outcome === 'unknown') throw agentNotFound(path.id, await agents.called(path.id));
      if (write.outcome === 'stale') throw stale((await shown(write.agent)).answer);
      return await shown(write.agent);
    },
  } satisfies Partial<AgentHandlers>;
}

async function tagged(agents: AgentStore, agent: KeptAgent): Promise<Tagged<AgentResource>> {
  const { config, digest, note } = await versionOf(agents, agent);
  return { answer: { ...namedResource(agent), config, digest, note }, version: agent.updatedAt };
}

function versionResource({ version, config, digest, note, ...rest }: KeptAgentVersion): AgentVersionResource {
  return { version, config, digest, note, created_by: rest.createdBy, created_at: rest.createdAt };
}

function targetResource({ name, type, isDefault, agent, faults }: ConfigTarget): ConfigTargetResource {
  const problems = faults.map(({ message, hint = null }) => ({ message, hint }));
  return { name, type, is_default: isDefault, agent: agent ?? null, problems };
}

function versionIn(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Refusal(404, {
    code: 'agent-version-not-found',
    message: `${JSON.stringify(text)} is not the number of a version`,
    param: 'version',
  });
}
