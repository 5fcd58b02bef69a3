import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { AgentPlace } from '../../authoring/config/store-rules.ts';
import { agentConfigFaults } from '../../authoring/config/stored-agent-config.ts';
import type { WrittenEntry } from '../../authoring/config/written-targets.ts';
import type { Path } from '../../authoring/yaml/fault.ts';
import type { Problem } from '../../core/problem.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';

/** A version of an agent of the store, as a run uses it. */
export interface UsedAgent {
  /** Of the target in the run: the name of the agent, or `NAME@VERSION`. */
  readonly name: string;
  readonly config: JsonObject;
}

/**
 * A config in which agents of the store are targets as well, each held to what the store lets it reach. The rules may have
 * changed since an agent was stored, so what they refuse now is told.
 */
export function withAgents(
  loaded: LoadedConfig,
  agents: readonly UsedAgent[],
  place: Pick<AgentPlace, 'plugins' | 'rules'>,
): { readonly loaded: LoadedConfig; readonly problems: readonly Problem[] } {
  const targets = [...loaded.written.keys()];
  const entries = agents.map(({ name, config }): readonly [string, WrittenEntry] => [
    name,
    { name, keys: config, place: (path) => at(name, path), faults: [], addresses: place.rules.addresses },
  ]);
  const problems = agents.flatMap(({ name, config }) =>
    agentConfigFaults(config, { ...place, targets }).map(({ path, code, message, hint }): Problem => ({
      file: `agent ${name}`,
      path,
      code,
      message,
      ...given({ hint }),
    })),
  );
  const plugins = new Map([...loaded.plugins, ...place.plugins]);
  return { loaded: { ...loaded, plugins, written: new Map([...loaded.written, ...entries]) }, problems };
}

function at(name: string, path: Path): Path {
  return ['agents', name, ...path];
}
