import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { type Origin, problemAt } from '../../authoring/config/locate.ts';
import { nameTaken } from '../../authoring/config/stored-agent.ts';
import { agentConfigFaults } from '../../authoring/config/stored-agent-config.ts';
import { agentMockFaults } from '../../authoring/config/stored-agent-mocks.ts';
import type { AgentPlace } from '../../authoring/config/store-rules.ts';
import type { WrittenEntry } from '../../authoring/config/written-targets.ts';
import type { Path } from '../../authoring/yaml/fault.ts';
import { mockOf } from '../../authoring/yaml/world-plan.ts';
import { mocks as mockGrammar } from '../../authoring/yaml/world-grammar.ts';
import type { AgentVersionId } from '../../core/agent-store.ts';
import type { Problem } from '../../core/problem.ts';
import type { RunSpec } from '../../core/run-spec.ts';
import type { ToolMock } from '../../core/test-case.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';

/** A version of an agent of the store in a run. */
export interface UsedAgent {
  /** Name of the target in the run: the name of the agent, or `NAME@VERSION`. */
  readonly name: string;
  readonly config: JsonObject;
  /** Answers of its tools; a case may have its own. */
  readonly mocks?: readonly ToolMock[];
  /** Absent: it is in no store. */
  readonly agent?: AgentVersionId;
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
  const { addresses } = place.rules;
  const problems: Problem[] = [];
  const entries: [string, WrittenEntry][] = [];
  for (const { name, config, mocks = [], agent } of agents) {
    const origin: Origin = { file: `agent ${name}` };
    const faults = [
      ...nameTaken(name, targets),
      ...agentConfigFaults(config, { ...place, targets }),
      ...agentMockFaults(mocks, config),
    ];
    problems.push(...faults.map((found) => problemAt(origin, found)));
    if (faults.length > 0) continue;
    const own = mocks.length === 0 ? {} : { mocks };
    entries.push([
      name,
      { name, keys: config, place: placeOf, faults, addresses, origin, ...given({ agent }), ...own },
    ]);
  }
  const plugins = new Map([...loaded.plugins, ...place.plugins]);
  return { loaded: { ...loaded, plugins, written: new Map([...loaded.written, ...entries]) }, problems };
}

/** The agents of a run as they were when it was planned. */
export function agentsOfSpec({ targets }: Pick<RunSpec, 'targets'>): readonly UsedAgent[] {
  return targets.flatMap(({ name, written: { mocks, ...config }, agent }): readonly UsedAgent[] => {
    if (agent === undefined) return [];
    const own = mocks === undefined ? {} : { mocks: mockGrammar.parse(mocks).map(mockOf) };
    return [{ name, config, agent, ...own }];
  });
}

function placeOf(path: Path): Path {
  return path[0] === 'mocks' ? path : ['config', ...path];
}
