import type { LoadedConfig } from '../../../authoring/config/load-config.ts';
import { storeRules } from '../../../authoring/config/store-rules.ts';
import type { Problem } from '../../../core/problem.ts';
import { allTargets } from '../../registry.ts';
import { type UsedAgent, withAgents } from '../with-agents.ts';
import type { Surroundings } from '../../surroundings.ts';
import { chooseTargets } from '../choose-agents.ts';

/** The targets of a run into the store. */
export interface AskedAgents {
  /** As on the command line: targets of the config, or `NAME[@VERSION]` of an agent. */
  readonly names: readonly string[];
  /** Agents that are chosen already, such as those that a run has frozen. Their names are among `names`. */
  readonly agents?: readonly UsedAgent[] | undefined;
}

export interface LoadedAgents {
  /** The config with the agents as further targets. */
  readonly loaded: LoadedConfig;
  /** Names of the targets of the run. */
  readonly targets: readonly string[];
  readonly problems: readonly Problem[];
}

/** Finds the agents of the store among the targets of a run. */
export async function loadAgents(
  loaded: LoadedConfig,
  { names, agents }: AskedAgents,
  { store, auth = 'none' }: Pick<Surroundings, 'store' | 'auth'>,
): Promise<LoadedAgents> {
  const found = agents === undefined ? await choose(names, loaded, store) : { names, agents, problems: [] };
  if (found.agents.length === 0) return { loaded, targets: found.names, problems: found.problems };
  const { environment } = loaded;
  const place = { plugins: await allTargets(), rules: storeRules({ auth, environment }) };
  const used = withAgents(loaded, found.agents, place);
  return { loaded: used.loaded, targets: found.names, problems: [...found.problems, ...used.problems] };
}

async function choose(names: readonly string[], { written }: LoadedConfig, door: Surroundings['store']) {
  const store = names.length === 0 ? undefined : await door?.find();
  if (store === undefined) return { names, agents: [], problems: [] };
  const asked = names.map((name) => ({ name, place: { file: `--target ${name}` } }));
  return await chooseTargets(asked, { configured: [...written.keys()], agents: store.agents });
}
