import { useQuery } from '@tanstack/react-query';

import type { RunResource } from '../../../../src/api/resources/run.ts';
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
  /** Repetitions of runs whose form names none. */
  readonly repetitions: number;
  /** The newest runs, newest first. */
  readonly runs: readonly RunResource[];
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
  const runs = useQuery({
    ...asked<'listRuns'>(['runs', 'newest'], '/runs', { path: {}, query: { limit: 20 } }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const settings = useSettings();
  const error = targets.error ?? agents.error ?? runs.error ?? settings.error;
  if (
    targets.data === undefined ||
    agents.data === undefined ||
    runs.data === undefined ||
    settings.data === undefined
  )
    return { error };
  const ofConfig = targets.data.map(({ name, is_default: isDefault }) => ({ name, isDefault }));
  const { has_user: hasUser, has_judge: hasJudge, repetitions } = settings.data;
  const models = { hasUser, hasJudge };
  const known = { ofConfig, stored: agents.data.data, models, repetitions, runs: runs.data.data };
  return { known, error: null };
}
