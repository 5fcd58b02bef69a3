import type { TargetSettings } from '../../core/plugin.ts';
import type { Problem } from '../../core/problem.ts';
import type { JsonObject } from '../../lib/json.ts';
import { allowListed } from '../../lib/process/environment.ts';
import type { Fault, Path } from '../yaml/fault.ts';
import { type TargetPlugins, targetParts } from './check-targets.ts';
import { expand, unset } from './expand.ts';
import type { LoadedConfig } from './load-config.ts';
import { problemAt } from './locate.ts';
import { isStoredRun, storedRunOf, unknownTarget } from './references.ts';
import type { WrittenEntry } from './written-targets.ts';

export interface ResolvedTarget {
  /** Absent when there are problems. */
  readonly settings?: TargetSettings;
  /** As it was written, without any value of the environment: for digests and the manifest. */
  readonly written: JsonObject;
  /** Variables that it names; their values are secret. */
  readonly environmentNames: readonly string[];
  readonly problems: readonly Problem[];
}

/** A target that is used: only now its `${{ NAME }}` and `passEnv` have to be set. */
export function resolveTarget(loaded: LoadedConfig, name: string, plugins: TargetPlugins): ResolvedTarget {
  const entry = loaded.written.get(name) ?? storedRun(name);
  if (entry === undefined) {
    const fault = unknownTarget(name, [...loaded.written.keys()], []);
    return { written: {}, environmentNames: [], problems: [problemAt(loaded.origin, fault)] };
  }
  const written = entry.keys as JsonObject;
  const expanded = expandKeys(entry, loaded.environment);
  const passed = textsOf(written['passEnv']);
  const environmentNames = [...new Set([...expanded.names, ...passed, ...textsOf([written['apiKeyEnv']])])];
  const faults = [...expanded.faults, ...passedFaults(passed, entry, loaded)];
  const checked = faults.length > 0 ? { faults } : targetParts({ ...entry, keys: expanded.keys }, plugins);
  const problems = checked.faults.map((fault) => problemAt(loaded.origin, fault));
  if (!('parts' in checked) || checked.parts === undefined) return { written, environmentNames, problems };
  const { common, own } = checked.parts;
  const settings = { name, ...common, config: own } as TargetSettings;
  return { settings, written, environmentNames, problems };
}

/** The whole environment of a target's or script's processes: allow-list, then `passEnv`, then `env`. */
export function processEnvironment(
  environment: Readonly<Record<string, string>>,
  { passEnv = [], env = {} }: Partial<Pick<TargetSettings, 'passEnv' | 'env'>> = {},
): Record<string, string> {
  const passed = passEnv.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...allowListed(environment), ...Object.fromEntries(passed), ...env };
}

function expandKeys(
  { keys, place }: WrittenEntry,
  environment: LoadedConfig['environment'],
): {
  readonly keys: WrittenEntry['keys'];
  readonly names: readonly string[];
  readonly faults: readonly Fault[];
} {
  const expanded = Object.entries(keys).map(
    ([key, value]) => [key, expand(value, environment, place([key]))] as const,
  );
  return {
    keys: Object.fromEntries(expanded.map(([key, { value }]) => [key, value])),
    names: expanded.flatMap(([, { names }]) => names),
    faults: expanded.flatMap(([, { faults }]) => faults),
  };
}

function passedFaults(
  names: readonly string[],
  { place }: WrittenEntry,
  loaded: LoadedConfig,
): readonly Fault[] {
  return names.flatMap((name, i): Fault[] => {
    const path: Path = place(['passEnv', i]);
    return loaded.environment[name] === undefined ? [unset(name, path)] : [];
  });
}

function storedRun(name: string): WrittenEntry | undefined {
  if (!isStoredRun(name)) return undefined;
  const keys = { type: 'replay', run: storedRunOf(name) };
  return { name, keys, faults: [], place: (path) => [name, ...path] };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
