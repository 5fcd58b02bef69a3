import { readTexts } from '../authoring/config/read-texts.ts';
import { defaultTargets } from '../authoring/config/default-targets.ts';
import { agentConfigFaults } from '../authoring/config/stored-agent-config.ts';
import type { WrittenEntry } from '../authoring/config/written-targets.ts';
import type { Fault } from '../authoring/yaml/fault.ts';
import type { JsonObject } from '../lib/json.ts';
import type { AgentRoom } from './agent-room.ts';

/** A target of the config of a server. */
export interface ConfigTarget {
  readonly name: string;
  readonly type: string;
  /** Whether a run that names no target tests it. */
  readonly isDefault: boolean;
  /** The same target as an agent of the store; absent: `faults` say why it cannot be one. */
  readonly agent?: TargetAsAgent;
  readonly faults: readonly Fault[];
}

/** What an agent of the store has in common with a target of the config. */
export interface TargetAsAgent {
  readonly config: JsonObject;
  /** As written. */
  readonly mocks: readonly JsonObject[];
}

/** The targets of the config, in its order. */
export function configTargets({
  loaded,
  place,
}: Pick<AgentRoom, 'loaded' | 'place'>): readonly ConfigTarget[] {
  const { names } = defaultTargets(loaded, 'data');
  return [...loaded.written.values()].map((entry) => ({
    name: entry.name,
    type: String(entry.keys['type']),
    isDefault: names.includes(entry.name),
    ...asAgent(entry, { loaded, place }),
  }));
}

/** Texts of files stand in place of their paths: an agent of the store names no file. */
function asAgent(
  { keys, place: placeOf }: WrittenEntry,
  { loaded, place }: Pick<AgentRoom, 'loaded' | 'place'>,
): Pick<ConfigTarget, 'agent' | 'faults'> {
  const { mocks = [], ...written } = keys;
  const texts = ['prompt', ...(place.plugins.get(String(keys['type']))?.texts ?? [])];
  const read = readTexts(written as JsonObject, texts, { directory: loaded.directory, place: placeOf });
  const faults = [...read.faults, ...agentConfigFaults(read.config, place)];
  return faults.length > 0
    ? { faults }
    : { agent: { config: read.config, mocks: mocks as readonly JsonObject[] }, faults };
}
