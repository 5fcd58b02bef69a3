import { useQuery } from '@tanstack/react-query';

import type { AgentResource } from '../../../../src/api/resources/agent.ts';
import { configTargetsQuery } from '../../agents/queries.ts';
import { asked } from '../../asked.ts';
import { useSettings } from '../../session/use-session.ts';

/** What a run can test. */
export interface KnownTargets {
  readonly ofConfig: readonly KnownTarget[];
  /** Agents of the store. */
  readonly stored: readonly Pick<AgentResource, 'id' | 'name' | 'version'>[];
  /** What the config has for runs whose form names no model. */
  readonly models: { readonly hasUser: boolean; readonly hasJudge: boolean };
}

/** A target of the config. */
interface KnownTarget {
  readonly name: string;
  /** Whether a run that names no target tests it. */
  readonly isDefault: boolean;
}

/** Asked for once each time the form is opened: what it chooses by itself must not change later. */
export function useKnownTargets(): { readonly known?: KnownTargets; readonly error: Error | null } {
  const targets = useQuery(configTargetsQuery);
  const agents = useQuery({
    ...asked<'listAgents'>(['agents', 'to choose'], '/agents', { path: {}, query: { limit: 200 } }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const settings = useSettings();
  const error = targets.error ?? agents.error ?? settings.error;
  if (targets.data === undefined || agents.data === undefined || settings.data === undefined)
    return { error };
  const ofConfig = targets.data.map(({ name, is_default: isDefault }) => ({ name, isDefault }));
  const { has_user: hasUser, has_judge: hasJudge } = settings.data;
  return { known: { ofConfig, stored: agents.data.data, models: { hasUser, hasJudge } }, error: null };
}
