import type { AgentVersionId } from '../../core/agent-store.ts';
import type { ToolMock } from '../../core/test-case.ts';
import type { AddressGuard } from '../../lib/http/address-guard.ts';
import { isObject } from '../../lib/json.ts';
import { fault, type Fault, type Path, pathLabel } from '../yaml/fault.ts';
import type { TargetVariant } from '../../core/target-variant.ts';
import type { Origin } from './locate.ts';
import { type MadeVariant, makeVariants } from './variants.ts';

/** A target as written in the config, under any of its keys. */
export interface WrittenEntry {
  readonly name: string;
  /** Its keys in one mapping. */
  readonly keys: Readonly<Record<string, unknown>>;
  /** True when it is written under `runners`, the published spelling. */
  readonly isRunner?: true;
  place(path: Path): Path;
  /** What it may connect to; absent: anything, as every target of a config. */
  readonly addresses?: AddressGuard;
  /** The agent of the store that it is. */
  readonly agent?: AgentVersionId;
  /** Where its mistakes are shown; absent: in the config. */
  readonly origin?: Origin;
  /** Mocks besides `keys`, in which nothing is replaced by environment variables. */
  readonly mocks?: readonly ToolMock[];
  readonly variants?: readonly string[];
  readonly variant?: TargetVariant;
  /** Where mistakes of its changed keys are shown, if a suite made it. */
  readonly suite?: Origin;
  /** Keys that were written twice. */
  readonly faults: readonly Fault[];
}

/** The targets of a config that may be malformed; entries that are not mappings are left to the schema. */
export function writtenTargets(config: unknown): readonly WrittenEntry[] {
  if (!isObject(config)) return [];
  const entries = [
    ...entriesOf(config['targets']).map(targetEntry),
    ...entriesOf(config['runners']).flatMap(runnerEntry),
  ];
  return config['variants'] === undefined ? entries : withVariants(entries, config);
}

function withVariants(entries: readonly WrittenEntry[], config: unknown): readonly WrittenEntry[] {
  const { base, variants } = makeVariants(config);
  return entries.flatMap((entry): readonly WrittenEntry[] => {
    if (entry.name !== base || variants.length === 0) return [entry];
    const made = variants.map((each) => variantEntry(entry, each));
    return [{ ...entry, variants: made.map(({ name }) => name) }, ...made];
  });
}

export function variantEntry(entry: WrittenEntry, made: MadeVariant): WrittenEntry {
  const { variants: _, ...base } = entry;
  const { name, keys, places, values } = made;
  return {
    ...base,
    name,
    keys: { ...entry.keys, ...keys },
    variant: { base: entry.name, values },
    place: (path: Path): Path => {
      const place = places[String(path[0])];
      return place === undefined ? entry.place(path) : [...place, ...path.slice(1)];
    },
  };
}

/** Where a mistake at a path of a target is shown. */
export function originOf(
  entry: Pick<WrittenEntry, 'origin' | 'suite'> | undefined,
  [top]: Path,
  config: Origin,
): Origin {
  if (entry?.suite !== undefined && top === 'execution') return entry.suite;
  return entry?.origin ?? config;
}

/** All names of targets, even if their value is not a target. */
export function writtenNames(config: unknown): readonly string[] {
  if (!isObject(config)) return [];
  const own = ['targets', 'runners'].flatMap((key) =>
    isObject(config[key]) ? Object.keys(config[key]) : [],
  );
  return config['variants'] === undefined
    ? own
    : [...new Set([...own, ...writtenTargets(config).map(({ name }) => name)])];
}

function entriesOf(value: unknown): readonly (readonly [string, Record<string, unknown>])[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => (isObject(entry) ? [[name, entry] as const] : []));
}

function targetEntry([name, keys]: readonly [string, Record<string, unknown>]): WrittenEntry {
  return { name, keys, faults: [], place: (path) => ['targets', name, ...path] };
}

function runnerEntry([name, entry]: readonly [string, Record<string, unknown>]): readonly WrittenEntry[] {
  const { agent, ...published } = entry;
  if (!isObject(agent)) return [];
  const base = ['runners', name];
  const faults = Object.keys(published)
    .filter((key) => Object.hasOwn(agent, key))
    .map((key) => twice([...base, key], `runners.${name}.agent.${key}`));
  const place = (path: Path): Path =>
    path[0] !== undefined && Object.hasOwn(published, path[0])
      ? [...base, ...path]
      : [...base, 'agent', ...path];
  return [{ name, keys: { ...published, ...agent }, faults, place, isRunner: true }];
}

/** One setting under two keys. */
export function twice(path: Path, other: string): Fault {
  const message = `\`${pathLabel(path)}\` and \`${other}\` set the same value`;
  return fault('config-both-spellings', message, { path, at: 'key', hint: 'keep one of the two' });
}
