import { dirname } from 'node:path';

import type { TargetServices } from '../../core/plugin.ts';
import type { World } from '../../core/target.ts';
import type { AgentAdapter } from './adapter.ts';
import type { AgentConfig } from './agent-config.ts';
import { enterOf, type Enter } from '../sandboxed.ts';
import { namedFiles } from '../named-files.ts';
import { agentEnvironment } from './environment.ts';
import type { NamedAgent } from './outcome.ts';
import type { PrivateHome } from './private-home.ts';
import type { AgentProgram } from './program.ts';

export interface AgentSession {
  readonly adapter: AgentAdapter;
  readonly config: AgentConfig;
  readonly services: TargetServices;
  readonly program: AgentProgram;
  readonly agent: NamedAgent;
  readonly home: PrivateHome;
  readonly world: World;
}

/** The whole environment of its program; a turn may add variables. */
export function environmentOf(
  { adapter, services, home, config }: Pick<AgentSession, 'adapter' | 'services' | 'home' | 'config'>,
  launched: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const inheritConfig = config.inheritConfig ?? false;
  return agentEnvironment({ adapter, services, folders: home.folders, inheritConfig, launched });
}

/** The home directory of its program. */
export function homeOf({ config, services, home }: AgentSession): string {
  const operators = config.inheritConfig === true ? services.operatorEnvironment['HOME'] : undefined;
  return operators ?? home.folders.home;
}

/** Where its programs run; undefined: in ordinary processes. */
export function sandboxOf({
  adapter,
  services,
  home: { folders },
  config,
  world,
}: AgentSession): Enter | undefined {
  const { home, cache } = folders;
  const needs = {
    writable: [dirname(home), ...(cache === undefined ? [] : [cache])],
    programs: namedFiles(config.commandArgs ?? []),
    hosts: adapter.hosts,
  };
  const { companion } = adapter;
  return enterOf(services, { world, needs, companion: companion?.program });
}
