import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { AgentPlace } from '../../authoring/config/store-rules.ts';
import { agentConfigFaults } from '../../authoring/config/stored-agent-config.ts';
import { problemAt } from '../../authoring/config/locate.ts';
import type { WrittenEntry } from '../../authoring/config/written-targets.ts';
import type { Path } from '../../authoring/yaml/fault.ts';
import type { Problem } from '../../core/problem.ts';
import type { JsonObject } from '../../lib/json.ts';

/** A version of an agent of the store in a run. */
export interface UsedAgent {
  /** Name of the target in the run: the name of the agent, or `NAME@VERSION`. */
  readonly name: string;
  readonly config: JsonObject;
}

/**
 * A config with agents of the store as further targets, restricted to the addresses that the store allows. The rules may have
 * changed since an agent was stored. An agent that they now refuse is reported and left out.
 */
export function withAgents(
  loaded: LoadedConfig,
  agents: readonly UsedAgent[],
  place: Pick<AgentPlace, 'plugins' | 'rules'>,
): { readonly loaded: LoadedConfig; readonly problems: readonly Problem[] } {
  const targets = [...loaded.written.keys()];
  const problems: Problem[] = [];
  const entries: [string, WrittenEntry][] = [];
  for (const { name, config } of agents) {
    const faults = agentConfigFaults(config, { ...place, targets });
    problems.push(...faults.map((found) => problemAt({ file: `agent ${name}` }, found)));
    if (faults.length > 0) continue;
    const { addresses } = place.rules;
    entries.push([name, { name, keys: config, place: (path) => at(name, path), faults, addresses }]);
  }
  const plugins = new Map([...loaded.plugins, ...place.plugins]);
  return { loaded: { ...loaded, plugins, written: new Map([...loaded.written, ...entries]) }, problems };
}

function at(name: string, path: Path): Path {
  return ['agents', name, ...path];
}
