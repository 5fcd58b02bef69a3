import { queryOptions, skipToken, useQuery, type QueryClient } from '@tanstack/react-query';

import type { AgentResource } from '../../../src/api/resources/agent.ts';
import { api } from '../api.ts';
import { usePages } from '../asked.ts';
import type { ArchivedFilter } from '../parts/archived.ts';

export function useAgentList(filter: ArchivedFilter) {
  return usePages<'listAgents'>(['agents', 'list', filter], '/agents', {
    path: {},
    query: { ...filter, limit: 100 },
  });
}

/** The targets of the config of the server, each as the agent that can be made of it. */
export const configTargetsQuery = queryOptions({
  queryKey: ['config-targets'],
  queryFn: async ({ signal }) => (await api<'listTargets'>('/targets', { path: {} }, { signal })).data,
});

/** An agent with its newest version and its mocks. */
export interface WholeAgent {
  readonly agent: AgentResource;
  readonly mocks: readonly object[];
}

export const wholeAgentQuery = (id: string) =>
  queryOptions({ queryKey: ['agent', id], queryFn: ({ signal }) => wholeAgent(id, signal) });

/** Asks again if somebody wrote between the answers. */
async function wholeAgent(id: string, signal: AbortSignal): Promise<WholeAgent> {
  for (;;) {
    const path = { id };
    const before = await api<'getAgent'>('/agents/{id}', { path }, { signal });
    const { data } = await api<'getAgentMocks'>('/agents/{id}/mocks', { path }, { signal });
    const agent = await api<'getAgent'>('/agents/{id}', { path }, { signal });
    if (agent.updated_at === before.updated_at) return { agent, mocks: data };
  }
}

export function useAgentVersions(id: string) {
  return usePages<'listAgentVersions'>(['agent-versions', id], '/agents/{id}/versions', {
    path: { id },
    query: { limit: 20 },
  });
}

/** A version never changes. Undefined: none is asked for. */
export function useAgentVersion(id: string, version: number | undefined) {
  return useQuery({
    queryKey: ['agent-version', id, version],
    queryFn:
      version === undefined
        ? skipToken
        : ({ signal }) =>
            api<'getAgentVersion'>(
              '/agents/{id}/versions/{version}',
              { path: { id, version: String(version) } },
              { signal },
            ),
    staleTime: Infinity,
  });
}

/** After a change of an agent. */
export async function refreshAgents(queries: QueryClient, id: string): Promise<void> {
  const keys = [['agents'], ['agent', id], ['agent-versions', id]];
  await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}
