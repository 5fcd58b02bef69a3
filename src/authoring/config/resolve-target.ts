import type { TargetFinding, TargetSettings } from '../../core/plugin.ts';
import type { Problem } from '../../core/problem.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import { allowListed, tiesGit } from '../../lib/process/environment.ts';
import { fault, type Fault, type Path, pathLabel } from '../yaml/fault.ts';
import { mockOf, writtenMock } from '../yaml/world-plan.ts';
import { bareReferences } from './bare-references.ts';
import { targetParts } from './check-targets.ts';
import { expand, unset } from './expand.ts';
import type { LoadedConfig } from './load-config.ts';
import { problemAt } from './locate.ts';
import { readPrompt } from './read-prompt.ts';
import { readTexts } from './read-texts.ts';
import { isStoredRun, storedRunOf, unknownTarget } from './references.ts';
import { originOf, type WrittenEntry } from './written-targets.ts';

export type TargetFlag = '--target' | '--judge';

export interface ResolvedTarget {
  /** Absent when there are problems. */
  readonly settings?: TargetSettings;
  /** As written, without values of environment variables: for digests and the manifest. */
  readonly written: JsonObject;
  /** Variables that it refers to; their values are secret. */
  readonly environmentNames: readonly string[];
  readonly problems: readonly Problem[];
  /** Mistakes that are probable but not certain. */
  readonly warnings: readonly Problem[];
}

/**
 * Resolves a target that is used. Its `${{ NAME }}` and `passEnv` must be set only now. `flag`: the flag that named it
 * on the command line, if no file did.
 */
export function resolveTarget(loaded: LoadedConfig, name: string, flag?: TargetFlag): ResolvedTarget {
  const entry = loaded.written.get(name) ?? storedRun(name);
  if (entry === undefined) {
    const unknown = unknownTarget(name, [...loaded.written.keys()], []);
    const origin = flag === undefined ? loaded.origin : { file: `${flag} ${name}` };
    return { written: {}, environmentNames: [], problems: [problemAt(origin, unknown)], warnings: [] };
  }
  const written = writtenOf(entry);
  const placed = (found: Fault) => problemAt(originOf(entry, found.path, loaded.origin), found);
  const expanded = expandKeys(entry, loaded.environment);
  const passed = textsOf(written['passEnv']);
  const environmentNames = [...new Set([...expanded.names, ...passed, ...textsOf([written['apiKeyEnv']])])];
  const faults = [...expanded.faults, ...passedFaults(passed, entry, loaded)];
  const checked =
    faults.length > 0 ? { faults } : targetParts({ ...entry, keys: expanded.keys }, loaded.plugins);
  const refused = checked.faults.map(placed);
  if (!('parts' in checked) || checked.parts === undefined) {
    return { written, environmentNames, problems: refused, warnings: [] };
  }
  const { common, own } = checked.parts;
  const { mocks, prompt, ...shared } = common;
  const plugin = loaded.plugins.get(common.type);
  const runner = entry.isRunner ? plugin?.runnerConfig : undefined;
  const texts = readTexts((runner?.(own) ?? own) as JsonObject, plugin?.texts ?? [], {
    directory: loaded.directory,
    place: entry.place,
  });
  const asked =
    prompt === undefined
      ? { faults: [] }
      : readPrompt(prompt, { directory: loaded.directory, path: entry.place(['prompt']) });
  const unread = [...texts.faults, ...asked.faults];
  if (unread.length > 0) {
    const missing = unread.map(placed);
    return { written, environmentNames, problems: missing, warnings: [] };
  }
  const settings = {
    name,
    ...shared,
    ...given({ mocks: mocks?.map(mockOf) ?? entry.mocks }),
    ...given({ prompt: asked.text, variant: entry.variant }),
    config:
      plugin?.prompt === 'system' && asked.text !== undefined && texts.config['promptRole'] !== 'user'
        ? { ...texts.config, system: asked.text }
        : texts.config,
  } as TargetSettings;
  const { problems, warnings: found } = findings(settings, { entry, loaded });
  const warnings = [...found, ...bareIn(entry, loaded)];
  if (problems.length > 0) return { written, environmentNames, problems, warnings };
  return { settings, written, environmentNames, problems, warnings };
}

function writtenOf({ keys, mocks }: WrittenEntry): JsonObject {
  const own = mocks === undefined ? {} : { mocks: mocks.map(writtenMock) };
  return { ...keys, ...own } as JsonObject;
}

/** References to environment variables with a missing brace on each side. */
function bareIn(entry: WrittenEntry, loaded: LoadedConfig): readonly Problem[] {
  const { keys, place } = entry;
  return Object.entries(keys)
    .flatMap(([key, value]) => bareReferences({ [key]: value }, place([key]).slice(0, -1)))
    .map((found) => problemAt(originOf(entry, found.path, loaded.origin), found));
}

interface Checking {
  readonly entry: WrittenEntry;
  readonly loaded: LoadedConfig;
}

/** Problems that the plugin of the type finds, each at its place. */
function findings(settings: TargetSettings, { entry, loaded }: Checking) {
  const place = { directory: loaded.directory, operatorEnvironment: loaded.environment };
  const found = loaded.plugins.get(settings.type)?.check?.(settings, place) ?? [];
  const problemsOf = (weight: TargetFinding['weight']): readonly Problem[] =>
    found
      .filter((finding) => finding.weight === weight)
      .map(({ path, code, message, hint }) => {
        const at = entry.place(path);
        const text = `${pathLabel(at)}: ${message}`;
        const origin = originOf(entry, at, loaded.origin);
        return problemAt(origin, fault(code, text, { path: at, ...given({ hint }) }));
      });
  return { problems: problemsOf('error'), warnings: problemsOf('warning') };
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
    if (tiesGit(name)) return [neverPassed(name, path)];
    return loaded.environment[name] === undefined ? [unset(name, path)] : [];
  });
}

function neverPassed(name: string, path: Path): Fault {
  const message = `${pathLabel(path)}: ${name} ties git to one repository, so no program gets it`;
  return fault('invalid-value', message, {
    path,
    hint: 'leave it out; git finds the repository of its folder',
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
