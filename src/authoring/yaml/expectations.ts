import type { GraderPlugin } from '../../core/plugin.ts';
import type { Expectation } from '../../core/test-case.ts';
import type { JsonObject } from '../../lib/json.ts';
import { check } from './check.ts';
import type { Entry } from './entries.ts';
import { judgeFaults, unknownType } from './entry-faults.ts';
import { fault } from './fault.ts';
import type { Fault, Path } from './fault.ts';
import type { FileLookup } from './file-lookup.ts';
import { commonKeys } from './grammar.ts';
import type { CommonKeys } from './grammar.ts';
import { graderFiles } from './grader-files.ts';
import { schemaKeys } from './schema-keys.ts';
import { fillVars } from './vars.ts';

export interface GraderScope {
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  readonly targets: ReadonlySet<string> | undefined;
  readonly hasJudge: boolean;
  readonly files: FileLookup;
}

/** An evaluator that was checked, and what it asks of the test. */
export interface CheckedEntry {
  readonly expectation: Expectation;
  readonly readsCriteria: boolean;
  readonly readsReference: boolean;
}

/** Turns entries into expectations; undefined for those that something is wrong with, which is told. */
export type EntryChecker = (
  entry: Entry,
  vars: JsonObject | undefined,
  tell: (found: Fault) => void,
) => CheckedEntry | undefined;

export function createEntryChecker(scope: GraderScope): EntryChecker {
  const known = new Map<string, Known | undefined>();
  const knownType = (type: string): Known | undefined => {
    if (!known.has(type)) known.set(type, knownOf(scope.graders.get(type)));
    return known.get(type);
  };
  return (entry, vars, tell) => {
    let faults = 0;
    const tellHere = (found: Fault): void => {
      faults += 1;
      tell({ ...found, path: entry.at(found.path) });
    };
    const value = fillVars(entry.value, vars, tellHere);
    const written: Written = { value, directory: entry.origin.directory, path: [] };
    const checked = checkValue(written, { scope, knownType, tell: tellHere });
    return faults > 0 ? undefined : checked;
  };
}

/** A grader with what is asked of its schema again and again. */
interface Known {
  readonly plugin: GraderPlugin;
  readonly keys: readonly string[];
  /** `threshold` means something of its own to this grader. */
  readonly ownsThreshold: boolean;
}

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
  return { plugin, keys, ownsThreshold: keys.includes('threshold') };
}

function checkValue(written: Written, checking: Checking): CheckedEntry | undefined {
  const { path } = written;
  const tell = (found: Fault): void => checking.tell({ ...found, path: [...path, ...found.path] });
  const { type } = written.value;
  if (typeof type !== 'string') {
    const message = type === undefined ? '`type` is missing' : '`type` must be a text';
    tell(
      fault(type === undefined ? 'missing-key' : 'wrong-type', message, {
        path: type === undefined ? [] : ['type'],
      }),
    );
    return undefined;
  }
  const known = checking.knownType(type);
  if (known === undefined) {
    tell(unknownType(type, checking.scope.graders));
    return undefined;
  }
  const { common, rest } = split(written.value, known);
  const faultsOfKeys = check(commonKeys, common);
  const config = check(known.plugin.config, rest, [...Object.keys(commonKeys.shape), 'type']);
  for (const found of [...(faultsOfKeys.faults ?? []), ...(config.faults ?? [])]) tell(found);
  if (faultsOfKeys.faults !== undefined || config.faults !== undefined) return undefined;
  return checkConfig(
    { ...written, known, common: faultsOfKeys.value, config: config.value as JsonObject },
    checking,
  );
}

interface Parsed extends Written {
  readonly known: Known;
  readonly common: CommonKeys;
  readonly config: JsonObject;
}

function checkConfig(parsed: Parsed, checking: Checking): CheckedEntry {
  const { known, common, config, directory, path } = parsed;
  const { plugin } = known;
  const tell = (found: Fault): void => checking.tell({ ...found, path: [...path, ...found.path] });
  for (const found of judgeFaults(plugin, config, checking.scope)) tell(found);
  const placed = graderFiles(plugin.files?.(config) ?? [], {
    config,
    directory,
    files: checking.scope.files,
    tell,
  });
  const members = checkMembers({ ...parsed, config: placed }, checking);
  const { name, weight, required, negate, threshold } = common;
  const gate = required === true ? REQUIRED_SCORE : required;
  return {
    expectation: {
      name: name ?? plugin.nameOf?.(config) ?? plugin.type,
      type: plugin.type,
      weight: weight ?? 1,
      ...(gate === undefined || gate === false ? {} : { required: gate }),
      ...(negate === undefined ? {} : { negate }),
      ...(threshold === undefined ? {} : { threshold }),
      config: members === undefined ? placed : members.config,
    },
    readsCriteria: plugin.readsCriteria?.(config) === true || members?.readsCriteria === true,
    readsReference: plugin.readsReference?.(config) === true || members?.readsReference === true,
  };
}

interface CheckedMembers extends Omit<CheckedEntry, 'expectation'> {
  /** With expectations in the place of the entries. */
  readonly config: JsonObject;
}

function checkMembers(parsed: Parsed, checking: Checking): CheckedMembers | undefined {
  const { known, config, path, directory } = parsed;
  const written = known.plugin.members?.(config);
  if (written === undefined) return undefined;
  const key = Object.keys(config).find((name) => config[name] === written) ?? 'assert';
  const members = written.flatMap((value, index) => {
    return checkValue({ value, directory, path: [...path, key, index] }, checking) ?? [];
  });
  const expectations = namedApart(members.map(({ expectation }) => expectation));
  return {
    config: { ...config, [key]: expectations as unknown as readonly JsonObject[] },
    readsCriteria: members.some(({ readsCriteria }) => readsCriteria),
    readsReference: members.some(({ readsReference }) => readsReference),
  };
}

/** Gives a second expectation of the same name `-2`, a third `-3`. */
export function namedApart(expectations: readonly Expectation[]): readonly Expectation[] {
  const taken = new Set<string>();
  return expectations.map((expectation) => {
    let { name } = expectation;
    for (let count = 2; taken.has(name); count += 1) name = `${expectation.name}-${count}`;
    taken.add(name);
    return name === expectation.name ? expectation : { ...expectation, name };
  });
}

function split(value: Readonly<Record<string, unknown>>, { ownsThreshold }: Known) {
  const common: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (key === 'type') continue;
    const isCommon = key in commonKeys.shape && !(key === 'threshold' && ownsThreshold);
    (isCommon ? common : rest)[key] = value[key];
  }
  return { common, rest };
}

/** What `required: true` asks for. */
const REQUIRED_SCORE = 0.8;
