import type { TargetPlugin } from '../../core/plugin.ts';
import { given } from '../../lib/given.ts';
import { meantOr } from '../../lib/text/suggest.ts';
import { check } from '../yaml/check.ts';
import { fault, type Fault, type Path, pathLabel } from '../yaml/fault.ts';
import { malformedReferences, waitingPlaces } from './expand.ts';
import { commonTargetKeys, type CommonTargetKeys } from './schema.ts';
import type { WrittenEntry } from './written-targets.ts';

export type TargetPlugins = ReadonlyMap<string, TargetPlugin>;

/** A parsed target: the keys that all types share, and the keys of its type. */
export interface TargetParts {
  readonly common: CommonTargetKeys;
  readonly own: unknown;
}

export function targetParts(
  { keys, place }: Pick<WrittenEntry, 'keys' | 'place'>,
  plugins: TargetPlugins,
): { readonly parts?: TargetParts; readonly faults: readonly Fault[] } {
  const entries = Object.entries(keys);
  const common = check(commonTargetKeys, Object.fromEntries(entries.filter(([key]) => COMMON.has(key))));
  const type = keys['type'];
  const plugin = typeof type === 'string' ? plugins.get(type) : undefined;
  const rest = Object.fromEntries(entries.filter(([key]) => !COMMON.has(key)));
  const own = plugin === undefined ? undefined : check(plugin.config, rest, [...COMMON]);
  const faults = [...(common.faults ?? []), ...(own?.faults ?? [])].map((found) => placed(found, place));
  if (plugin !== undefined && plugin.prompt === undefined && Object.hasOwn(keys, 'prompt'))
    faults.push(noPrompt(String(type), place(['prompt'])));
  if (Object.hasOwn(keys, 'sandbox') && startsNothing(plugin, own?.value))
    faults.push(noSandbox(String(type), place(['sandbox'])));
  if (own === undefined && typeof type === 'string') faults.push(unknownType(type, place(['type']), plugins));
  if (faults.length > 0 || common.value === undefined) return { faults };
  return { parts: { common: common.value, own: own?.value }, faults };
}

/** The mistakes of a target that do not depend on the environment. */
export function targetFaults(entry: WrittenEntry, plugins: TargetPlugins): readonly Fault[] {
  // The value of a text is only known after variables are replaced.
  const waiting = new Set(waitingPlaces(entry.keys, []).map((path) => pathLabel(entry.place(path))));
  const structural = targetParts(entry, plugins).faults.filter(
    ({ path, at }) => at === 'key' || !waiting.has(pathLabel(path)),
  );
  const malformed = Object.entries(entry.keys).flatMap(([key, value]) =>
    malformedReferences(value, entry.place([key])),
  );
  return [...entry.faults, ...structural, ...malformed];
}

const COMMON: ReadonlySet<string> = new Set(Object.keys(commonTargetKeys.shape));

function placed(found: Fault, place: WrittenEntry['place']): Fault {
  const message = `${pathLabel(place([]))}: ${found.message}`;
  const [key] = found.path;
  const hint =
    found.code === 'unknown-key' && found.path.length === 1 ? KEY_HINTS.get(String(key)) : undefined;
  return { ...found, message, path: place(found.path), ...given({ hint }) };
}

/** Hints for keys that people expect and that no known key resembles. */
const KEY_HINTS: ReadonlyMap<string, string> = new Map([
  [
    'multiTurn',
    'remove it: the type of a target decides whether it supports several turns; for one answer, set `run.limits.maxTurns: 1`',
  ],
]);

function noPrompt(type: string, path: Path): Fault {
  const message = `${pathLabel(path)}: targets of type ${type} have no \`prompt\``;
  const hint = 'put the text into `input` of the suite, or use a target that takes a prompt';
  return fault('unknown-key', message, { path, at: 'key', hint });
}

/** False if that is not known. */
function startsNothing(plugin: TargetPlugin | undefined, config: unknown): boolean {
  if (plugin === undefined) return false;
  if (plugin.programsLive === undefined) return true;
  return config !== undefined && plugin.programsLive(config) === undefined;
}

function noSandbox(type: string, path: Path): Fault {
  const message = `${pathLabel(path)}: this target of type ${type} starts no program, so it has no \`sandbox\``;
  const hint = 'remove `sandbox`';
  return fault('unknown-key', message, { path, at: 'key', hint });
}

function unknownType(type: string, path: Path, plugins: TargetPlugins): Fault {
  const types = [...plugins.keys()];
  const hint = meantOr(type, types, `known types: ${types.join(', ')}`);
  return fault('unknown-target-type', `${pathLabel(path)}: unknown target type ${JSON.stringify(type)}`, {
    path,
    hint,
  });
}
