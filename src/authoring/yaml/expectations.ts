import type { GraderPlugin, PluginsByType } from '../../core/plugin.ts';
import type { Expectation } from '../../core/test-case.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import { check } from './check.ts';
import { writtenAt, type Entry } from './entries.ts';
import { evaluatorOfMapping } from './meant-evaluator.ts';
import { judgeFaults, requestFault, unknownType } from './entry-faults.ts';
import { fault, type Fault, type Path } from './fault.ts';
import type { FileLookup } from './file-lookup.ts';
import { graderFiles } from './grader-files.ts';
import { commonKeys, type CommonKeys } from './grammar.ts';
import { schemaKeys } from './schema-keys.ts';
import { fillEntry } from './vars.ts';

export interface GraderScope {
  readonly graders: PluginsByType<GraderPlugin>;
  readonly targets: ReadonlySet<string> | undefined;
  readonly hasJudge: boolean;
  readonly files: FileLookup;
  /** The entries are those of a request, which starts no program and names no file. */
  readonly isRequest?: true | undefined;
}

/** A checked evaluator, and what it needs from the test. */
export interface CheckedEntry {
  readonly expectation: Expectation;
  readonly readsCriteria: boolean;
  readonly readsReference: boolean;
  /** Names such as `vars.customer` that prompt files contain. */
  readonly readsVars: readonly string[];
}

/** Converts entries to expectations; undefined for entries with mistakes, which are reported. */
export type EntryChecker = (
  entry: Entry,
  vars: JsonObject | undefined,
  tell: (found: Fault) => void,
) => CheckedEntry | undefined;

/**
 * Many cases of a suite have equal entries, so parsed entries are cached in `sound`. Entries from code are not, because
 * they may hold values that JSON leaves out.
 */
export function createEntryChecker(scope: GraderScope, sound?: Map<string, CheckedEntry>): EntryChecker {
  const known = new Map<string, Known | undefined>();
  const knownType = (type: string): Known | undefined => {
    if (!known.has(type)) known.set(type, knownOf(scope.graders.get(type)));
    return known.get(type);
  };
  return (entry, vars, tell) => {
    let faults = 0;
    const tellHere = (found: Fault): void => {
      faults += 1;
      tell({ ...found, path: writtenAt(entry, found.path) });
    };
    const value = fillEntry(entry.value, vars, tellHere);
    const { directory } = entry.origin;
    const key = sound === undefined || faults > 0 ? undefined : keyOf(value, directory);
    const alike = key === undefined ? undefined : sound?.get(key);
    if (alike !== undefined) return alike;
    const checked = checkValue({ value, directory, path: TOP }, { scope, knownType, tell: tellHere });
    if (faults > 0 || checked === undefined) return undefined;
    if (sound === undefined || key === undefined) return checked;
    if (sound.size >= REMEMBERED) sound.clear();
    sound.set(key, checked);
    return checked;
  };
}

/** Equal for parsed entries with the same meaning; undefined when JSON cannot represent them: infinity becomes null. */
function keyOf(value: Written['value'], directory: string): string | undefined {
  const text = JSON.stringify(value);
  return text.length > LONGEST_KEY || text.includes('null') ? undefined : `${directory}\n${text}`;
}

const REMEMBERED = 64;
const LONGEST_KEY = 1000;

/** A grader with cached answers of its schema. */
interface Known {
  readonly plugin: GraderPlugin;
  /** Common keys that have their own meaning for this grader. */
  readonly owned: ReadonlySet<string>;
}

const OWNABLE = ['threshold', 'metric'];

interface Written {
  readonly value: Readonly<Record<string, unknown>>;
  readonly directory: string;
  readonly path: Path;
}

interface Checking {
  readonly scope: GraderScope;
  readonly knownType: (type: string) => Known | undefined;
  readonly tell: (found: Fault) => void;
}

function knownOf(plugin: GraderPlugin | undefined): Known | undefined {
  if (plugin === undefined) return undefined;
  const keys = schemaKeys(plugin.config);
  return { plugin, owned: new Set(OWNABLE.filter((key) => keys.includes(key))) };
}

function checkValue(written: Written, checking: Checking): CheckedEntry | undefined {
  const { type } = written.value;
  if (typeof type !== 'string') return tellAll([wrongType(written.value)], written, checking);
  const known = checking.knownType(type);
  if (known === undefined) return tellAll([unknownType(type, checking.scope.graders)], written, checking);
  const { common, rest } = split(written.value, known);
  // All common keys are optional.
  const keys = common === undefined ? NO_KEYS : check(commonKeys, common);
  const config = check(known.plugin.config, rest, COMMON);
  if (keys.faults !== undefined || config.faults !== undefined) {
    return tellAll([...(keys.faults ?? []), ...(config.faults ?? [])], written, checking);
  }
  const parsed = { written, plugin: known.plugin, common: keys.value, config: config.value as JsonObject };
  return checkConfig(parsed, checking);
}

interface Parsed {
  readonly written: Written;
  readonly plugin: GraderPlugin;
  readonly common: CommonKeys;
  readonly config: JsonObject;
}

function checkConfig(parsed: Parsed, checking: Checking): CheckedEntry | undefined {
  const { plugin, common, config, written } = parsed;
  const foreign = checking.scope.isRequest === true ? requestFault(plugin, config) : undefined;
  if (foreign !== undefined) return tellAll([foreign], written, checking);
  tellAll(judgeFaults(plugin, config, checking.scope), written, checking);
  const members = plugin.members === undefined ? undefined : checkMembers(parsed, checking);
  const { name, weight = 1, required, negate, threshold, metric } = common;
  const gate = required === true ? REQUIRED_SCORE : required;
  const files = placed({ ...parsed, config: members?.config ?? config }, checking);
  return {
    expectation: {
      name: name ?? plugin.nameOf?.(config) ?? plugin.type,
      type: plugin.type,
      weight,
      ...(gate === undefined || gate === false ? undefined : { required: gate }),
      ...(negate === undefined ? undefined : { negate }),
      ...(threshold === undefined ? undefined : { threshold }),
      ...(metric === undefined ? undefined : { metric }),
      config: files.config,
    },
    readsCriteria: plugin.readsCriteria?.(config) === true || members?.readsCriteria === true,
    readsReference: plugin.readsReference?.(config) === true || members?.readsReference === true,
    readsVars: [...files.readsVars, ...(members?.readsVars ?? [])],
  };
}

/** The configuration with its files resolved, and the variables they need. */
function placed({ plugin, config, written }: Parsed, checking: Checking) {
  const files = plugin.files?.(config);
  if (files === undefined || files.length === 0) return { config, readsVars: [] };
  const readsVars: string[] = [];
  const tell = (found: Fault): void => tellAll([found], written, checking);
  const found = graderFiles(files, {
    config,
    directory: written.directory,
    files: checking.scope.files,
    takesFolders: plugin.takesFolders,
    tell,
    ...(plugin.fileFaults && {
      faultsIn: (content: string, path: string) => {
        readsVars.push(...(plugin.fileVars?.(content, config) ?? []));
        return plugin.fileFaults?.(content, config, path) ?? [];
      },
    }),
  });
  return { config: found, readsVars };
}

interface CheckedMembers extends Omit<CheckedEntry, 'expectation'> {
  /** The configuration with expectations in place of entries. */
  readonly config: JsonObject;
}

function checkMembers({ plugin, config, written }: Parsed, checking: Checking): CheckedMembers {
  const { path, directory } = written;
  const listed = plugin.members?.(config) ?? [];
  const key = Object.keys(config).find((name) => config[name] === listed) ?? 'assert';
  const members = listed.flatMap((value, index) => {
    return checkValue({ value, directory, path: [...path, key, index] }, checking) ?? [];
  });
  const expectations = namedApart(members.map(({ expectation }) => expectation));
  return {
    config: { ...config, [key]: expectations as unknown as readonly JsonObject[] },
    readsCriteria: members.some(({ readsCriteria }) => readsCriteria),
    readsReference: members.some(({ readsReference }) => readsReference),
    readsVars: members.flatMap(({ readsVars }) => readsVars),
  };
}

/** Names a second expectation of the same name `-2`, a third `-3`. */
export function namedApart(expectations: readonly Expectation[]): readonly Expectation[] {
  if (
    !expectations.some(({ name }, index) => expectations.findIndex((other) => other.name === name) < index)
  ) {
    return expectations;
  }
  const taken = new Set<string>();
  return expectations.map((expectation) => {
    let { name } = expectation;
    for (let count = 2; taken.has(name); count += 1) name = `${expectation.name}-${count}`;
    taken.add(name);
    return name === expectation.name ? expectation : { ...expectation, name };
  });
}

function tellAll(faults: readonly Fault[], { path }: Written, { tell }: Checking): undefined {
  for (const found of faults) tell({ ...found, path: [...path, ...found.path] });
}

function wrongType(value: Written['value']): Fault {
  const meant = evaluatorOfMapping(value);
  const hint = meant === undefined ? undefined : `write ${meant}`;
  if (value['type'] === undefined) return fault('missing-key', '`type` is missing', given({ hint }));
  return fault('wrong-type', '`type` must be a text', { path: ['type'] });
}

interface Split {
  readonly common: Record<string, unknown> | undefined;
  readonly rest: Record<string, unknown>;
}

/** Builds new objects, because an object with deleted keys stays slow to read. */
function split(value: Readonly<Record<string, unknown>>, { owned }: Known): Split {
  const isCommon = (key: string) => COMMON.includes(key) && !owned.has(key);
  const entries = Object.entries(value);
  const common = entries.filter(([key]) => isCommon(key));
  const rest = entries.filter(([key]) => key !== 'type' && !isCommon(key));
  return {
    common: common.length === 0 ? undefined : Object.fromEntries(common),
    rest: Object.fromEntries(rest),
  };
}

const TOP: Path = [];
const COMMON: readonly string[] = Object.keys(commonKeys.shape);
const NO_KEYS = check(commonKeys, {});

const REQUIRED_SCORE = 0.8;
