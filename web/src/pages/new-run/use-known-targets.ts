import { useQuery } from '@tanstack/react-query';

import type { AgentResource } from '../../../../src/api/resources/agent.ts';
import { api } from '../../api.ts';
import { useSettings } from '../../session/use-session.ts';

/** What a run can test. */
export interface KnownTargets {
  /** Names of the targets of the config. */
  readonly ofConfig: readonly string[];
  /** Agents of the store. */
  readonly stored: readonly Pick<AgentResource, 'id' | 'name' | 'version'>[];
}

/** Asked for once each time the form is opened: what it chooses by itself must not change later. */
export function useKnownTargets(): { readonly known?: KnownTargets; readonly error: Error | null } {
  const settings = useSettings();
  const agents = useQuery({
    queryKey: ['agents', 'to choose'],
    queryFn: ({ signal }) => api<'listAgents'>('/agents', { path: {}, query: { limit: 200 } }, { signal }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const error = settings.error ?? agents.error;
  if (settings.data === undefined || agents.data === undefined) return { error };
  return { known: { ofConfig: settings.data.targets, stored: agents.data.data }, error: null };
}
