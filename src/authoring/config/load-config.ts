import { dirname, relative, resolve } from 'node:path';

import type { Problem } from '../../core/problem.ts';
import { digestOf } from '../../lib/digest.ts';
import { withoutGit } from '../../lib/process/environment.ts';
import { check } from '../yaml/check.ts';
import { fault, type Fault } from '../yaml/fault.ts';
import { type TargetPlugins, targetFaults } from './check-targets.ts';
import { malformedReferences } from './expand.ts';
import { containsItself } from './contains-itself.ts';
import { findConfigs, findPublishedConfig } from './find-config.ts';
import { type Origin, problemAt } from './locate.ts';
import { type Config, inOurWords, publishedFaults } from './published-spellings.ts';
import { readConfig, readDotenv } from './read-config.ts';
import { referenceFaults } from './references.ts';
import { salvagedConfig } from './salvage.ts';
import { variantFaults } from './variant-faults.ts';
import { configSchema, type Written } from './schema.ts';
import { type WrittenEntry, writtenNames, writtenTargets } from './written-targets.ts';

export interface ConfigRequest {
  /** Chosen by a person; relative to `cwd`. */
  readonly file?: string;
  /** Absolute folder where the search upward for a config begins; then `cwd` follows. */
  readonly startDirectory: string;
  /** Absolute; paths for people are relative to it. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Gives target plugins: at least those of these types. */
  readonly plugins: (types: readonly unknown[]) => TargetPlugins | Promise<TargetPlugins>;
}

/** A config without problems; `${{ NAME }}` is not replaced yet. */
export interface LoadedConfig {
  readonly config: Config;
  /** Absolute; absent when there is no config, so that all values are defaults. */
  readonly file?: string;
  /** Set when no config was found, but one under its published name; the path as shown to people. */
  readonly publishedFile?: string;
  /** Absolute; relative paths of the config start here. */
  readonly directory: string;
  /** `.env` next to the config, overridden by the given environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Digest of the content, without values of environment variables. */
  readonly digest: string;
  /** Targets by name. */
  readonly written: ReadonlyMap<string, WrittenEntry>;
  /** Plugins by type: at least those of its targets and those that need no config. */
  readonly plugins: TargetPlugins;
  /** Where its mistakes are shown. */
  readonly origin: Origin;
  /** A server read it once, at its start, with the environment. */
  readonly isOfServer?: true;
}

export interface LoadResult {
  /** Absent when there are problems. */
  readonly loaded?: LoadedConfig;
  /** Present when there are problems: the valid rest, to look for further problems. */
  readonly salvaged?: SalvagedConfig;
  readonly problems: readonly Problem[];
}

/** A config without its invalid settings. */
export interface SalvagedConfig {
  readonly loaded: LoadedConfig;
  /** The invalid settings: `judge`, `run.limits`. */
  readonly omitted: ReadonlySet<string>;
  /** Names of all targets, including entries that are not mappings. */
  readonly targetNames: readonly string[];
}

/** Finds, reads and checks the config with all its targets. Without a config the result is empty. */
export async function loadConfig(request: ConfigRequest): Promise<LoadResult> {
  const { cwd, startDirectory } = request;
  const paths =
    request.file === undefined ? await findConfigs(startDirectory, cwd) : [resolve(cwd, request.file)];
  const [path] = paths;
  if (path === undefined) return { loaded: await withoutConfig(request), problems: [] };
  const files = paths.map((each) => relative(cwd, each));
  if (files.length > 1) return { problems: [ambiguous(files)] };
  const [file = path] = files;
  const read = await readConfig({ path, file });
  if ('problems' in read) return read;
  const plugins = await request.plugins(writtenTargets(read.value).map(({ keys }) => keys['type']));
  const { written, faults } = checkConfig(read.value, plugins);
  const dotenv = withoutGit(await readDotenv(dirname(path)));
  const environment = { ...dotenv, ...definedOnly(request.environment) };
  const place = { plugins, file: path, directory: dirname(path), environment };
  if (written !== undefined) {
    return { loaded: { ...loadedFrom(written, read.origin), ...place }, problems: [] };
  }
  const problems = inOrder(faults.map((found) => problemAt(read.origin, found)));
  const rest = salvagedConfig(read.value, faults);
  if (rest === undefined) return { problems };
  const loaded = { ...loadedFrom(rest.written, read.origin), ...place };
  return { problems, salvaged: { loaded, omitted: rest.omitted, targetNames: writtenNames(read.value) } };
}

function checkConfig(
  value: unknown,
  plugins: TargetPlugins,
): { readonly written?: Written; readonly faults: readonly Fault[] } {
  if (containsItself(value))
    return { faults: [fault('config-syntax', 'an alias in the config refers to itself')] };
  const checked = check(configSchema, value);
  const { targets: _, runners: __, ...rest } = { ...(value as Written) };
  const faults = [
    ...(checked.faults ?? []),
    ...publishedFaults(value),
    ...malformedReferences(rest, []),
    ...referenceFaults(value),
    ...variantFaults(value),
    ...onceEach(checkedTargets(value).flatMap((entry) => targetFaults(entry, plugins))),
  ];
  return checked.value === undefined || faults.length > 0 ? { faults } : { written: checked.value, faults };
}

/** A target with variants is not run itself: what it lacks may be in its variants. */
function checkedTargets(value: unknown): readonly WrittenEntry[] {
  return writtenTargets(value).filter(({ variants }) => variants === undefined);
}

/** All variants of a target repeat its mistakes. */
function onceEach(faults: readonly Fault[]): readonly Fault[] {
  return [...new Map(faults.map((each) => [JSON.stringify([each.path, each.message]), each])).values()];
}

function loadedFrom(
  written: Written,
  origin: Origin,
): Pick<LoadedConfig, 'config' | 'digest' | 'written' | 'origin'> {
  const config = inOurWords(written);
  const entries = writtenTargets(written).map((entry) => [entry.name, entry] as const);
  return { config, digest: digestOf(config), written: new Map(entries), origin };
}

async function withoutConfig(request: ConfigRequest): Promise<LoadedConfig> {
  const { startDirectory, cwd, environment } = request;
  const loaded = loadedFrom({}, { file: 'assay.config.yaml' });
  const plugins = await request.plugins([]);
  const published = await findPublishedConfig(startDirectory, cwd);
  return {
    ...loaded,
    plugins,
    directory: startDirectory,
    environment: definedOnly(environment),
    ...(published === undefined ? {} : { publishedFile: relative(cwd, published) }),
  };
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  const place = ({ line = 0, column = 0 }: Problem): number => line * 1e6 + column;
  return problems.toSorted((a, b) => place(a) - place(b));
}

function ambiguous(files: readonly string[]): Problem {
  const [file = '', ...others] = files;
  const message = `this folder contains another config: ${others.join(' and ')}`;
  return { file, code: 'config-ambiguous', message, hint: 'keep one of them, or choose one with --config' };
}

function definedOnly(environment: ConfigRequest['environment']): Record<string, string> {
  const entries = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return Object.fromEntries(entries) as Record<string, string>;
}
