import { type Origin, problemAt } from '../../authoring/config/locate.ts';
import { isStoredRun, unknownTarget } from '../../authoring/config/references.ts';
import { nearest } from '../../lib/text/suggest.ts';
import { fault, type Fault, type Path, pathLabel } from '../../authoring/yaml/fault.ts';
import type { AgentStore, KeptAgent, KeptAgentVersion } from '../../core/agent-store.ts';
import type { Problem } from '../../core/problem.ts';
import type { UsedAgent } from './with-agents.ts';

/** A target that a run asks for. */
export type AskedTarget =
  /** As on the command line: a target of the config, or `NAME[@VERSION]` of an agent. */
  | { readonly name: string; readonly place: AskedPlace }
  /** An agent by its id, or its name. `version`: absent for the newest one. */
  | { readonly agent: string; readonly version?: number | undefined; readonly place: AskedPlace };

/** Where a target is asked for. */
export interface AskedPlace extends Origin {
  readonly path?: Path;
}

/** Where targets are looked up. */
export interface TargetShelf {
  /** Names of the targets of the config. They win over agents. */
  readonly configured: readonly string[];
  /** Where a request asks for agents alone: the targets of the config, which it asks for by another key. */
  readonly ofConfig?: readonly string[];
  readonly agents: Pick<AgentStore, 'called' | 'version' | 'mocks' | 'list'>;
}

export interface ChosenTargets {
  /** Names of the targets of the run, in the order in which they were asked for, each once. */
  readonly names: readonly string[];
  /** The agents among them. */
  readonly agents: readonly UsedAgent[];
  readonly problems: readonly Problem[];
}

/** Finds targets of the config and agents of the store. An agent in several versions is several targets: `NAME@VERSION`. */
export async function chooseTargets(
  asked: readonly AskedTarget[],
  shelf: TargetShelf,
): Promise<ChosenTargets> {
  const problems: Problem[] = [];
  const found: (string | FoundAgent)[] = [];
  for (const each of asked) {
    const one = await findTarget(each, shelf);
    if (isProblem(one)) problems.push(one);
    else if (typeof one !== 'string' && 'agent' in each && isAmong(found, one))
      problems.push(askedTwice(one, each.place));
    else found.push(one);
  }
  const nameOf = namesFor(found);
  const agents = new Map<string, UsedAgent>();
  for (const each of found) {
    if (typeof each === 'string') continue;
    const { agent, version } = each;
    const mocks = await shelf.agents.mocks(agent.id);
    agents.set(nameOf(each), {
      name: nameOf(each),
      config: version.config,
      mocks,
      agent: { id: agent.id, version: version.version },
    });
  }
  return { names: [...new Set(found.map(nameOf))], agents: [...agents.values()], problems };
}

interface FoundAgent {
  readonly agent: KeptAgent;
  readonly version: KeptAgentVersion;
}

/** Whether an agent was found in the same version before. */
function isAmong(before: readonly (string | FoundAgent)[], { agent, version }: FoundAgent): boolean {
  return before.some(
    (each) =>
      typeof each !== 'string' && each.agent.id === agent.id && each.version.version === version.version,
  );
}

/** A request lists things to compare, so a version that it lists twice is a slip. */
function askedTwice({ agent, version }: FoundAgent, { path = [], ...place }: AskedPlace): Problem {
  const message = `version ${version.version} of the agent ${JSON.stringify(agent.name)} is listed twice`;
  const hint = 'list each version once; `repetitions` says how often each case runs';
  return problemAt(place, fault('duplicate-agent', message, { path, hint }));
}

function isProblem(found: string | FoundAgent | Problem): found is Problem {
  return typeof found === 'object' && 'code' in found;
}

/** The names of targets in the run. */
function namesFor(found: readonly (string | FoundAgent)[]): (each: string | FoundAgent) => string {
  const versions = new Map<string, Set<number>>();
  for (const each of found) {
    if (typeof each === 'string') continue;
    const known = versions.get(each.agent.id) ?? new Set();
    versions.set(each.agent.id, known.add(each.version.version));
  }
  return (each) => {
    if (typeof each === 'string') return each;
    const { name, id } = each.agent;
    return versions.get(id)?.size === 1 ? name : `${name}@${each.version.version}`;
  };
}

async function findTarget(asked: AskedTarget, shelf: TargetShelf): Promise<string | FoundAgent | Problem> {
  const { place } = asked;
  if ('agent' in asked) return await findAgent(asked.agent, asked.version, { shelf, place });
  const { name } = asked;
  if (shelf.configured.includes(name) || isStoredRun(name)) return name;
  const [, agent = name, version] = /^(.+)@(\d+)$/s.exec(name) ?? [];
  return await findAgent(agent, version === undefined ? undefined : Number(version), { shelf, place });
}

async function findAgent(
  idOrName: string,
  asked: number | undefined,
  { shelf, place }: { readonly shelf: TargetShelf; readonly place: AskedPlace },
): Promise<FoundAgent | Problem> {
  const { path = [] } = place;
  const agent = await shelf.agents.called(idOrName);
  if (agent === undefined) {
    const stored = await shelf.agents.list({ limit: MOST_SUGGESTED, isArchived: false });
    const agents = stored.map(({ name }) => name);
    return problemAt(
      place,
      shelf.ofConfig === undefined
        ? unknownTarget(idOrName, [...shelf.configured, ...agents], path)
        : unknownAgent(idOrName, { agents, path, isTarget: shelf.ofConfig.includes(idOrName) }),
    );
  }
  const shown = JSON.stringify(agent.name);
  if (agent.archivedAt !== null) {
    const hint = `use another agent, or restore this one: PATCH /api/v1/agents/${agent.id} with {"archived": false}`;
    return problemAt(place, fault('agent-archived', `the agent ${shown} is archived`, { path, hint }));
  }
  const version = await shelf.agents.version(agent.id, asked ?? agent.version);
  if (version !== undefined) return { agent, version };
  const message = `the agent ${shown} has no version ${asked}`;
  const hint = `its newest version is ${agent.version}`;
  return problemAt(place, fault('unknown-agent-version', message, { path, hint }));
}

interface AskedAgent {
  readonly path: Path;
  readonly agents: readonly string[];
  /** It is a target of the config. */
  readonly isTarget: boolean;
}

function unknownAgent(idOrName: string, { path, agents, isTarget }: AskedAgent): Fault {
  const near = nearest(idOrName, agents);
  const known =
    agents.length === 0
      ? 'the store has no agents'
      : `agents of the store: ${agents.slice(0, MOST_LISTED).join(', ')}`;
  const hint = isTarget
    ? `for a target of the config write "targets": ${JSON.stringify([idOrName])}`
    : near === undefined
      ? known
      : `did you mean \`${near}\`?`;
  return fault('unknown-target', `${pathLabel(path)}: unknown agent ${JSON.stringify(idOrName)}`, {
    path,
    hint,
  });
}

const MOST_LISTED = 20;

/** Most agents that a misspelled name is compared with. */
const MOST_SUGGESTED = 1000;
