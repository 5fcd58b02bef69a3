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
import { configSchema, type Written } from './schema.ts';
import { type WrittenEntry, writtenNames, writtenTargets } from './written-targets.ts';

export interface ConfigRequest {
  /** Named by a person; relative to `cwd`. */
  readonly file?: string;
  /** Absolute folder from which a config is looked for upward, before it is from `cwd`. */
  readonly startDirectory: string;
  /** Absolute; people are shown paths relative to it. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Finds targets by type: those of at least these types, or all there are. */
  readonly plugins: (types: readonly unknown[]) => TargetPlugins | Promise<TargetPlugins>;
}

/** A config without a problem; `${{ NAME }}` still stands where it was written. */
export interface LoadedConfig {
  readonly config: Config;
  /** Absolute; absent when there is none, and everything is default. */
  readonly file?: string;
  /** Set where no config was found: a config under its published name, as people are shown it. */
  readonly publishedFile?: string;
  /** Absolute; relative paths of the config start here. */
  readonly directory: string;
  /** `.env` beside the config, under the given environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of the content, without any value of the environment. */
  readonly digest: string;
  /** By name. */
  readonly written: ReadonlyMap<string, WrittenEntry>;
  /** By type: at least what its targets are, and what targets are that need no config. */
  readonly plugins: TargetPlugins;
  /** Where its faults are shown. */
  readonly origin: Origin;
}

export interface LoadResult {
  /** Absent when there are problems. */
  readonly loaded?: LoadedConfig;
  /** Where there are: what else can be relied on, to look for further problems. */
  readonly salvaged?: SalvagedConfig;
  readonly problems: readonly Problem[];
}

/** A config without the settings that are wrong. */
export interface SalvagedConfig {
  readonly loaded: LoadedConfig;
  /** Those settings: `judge`, `run.limits`. */
  readonly left: ReadonlySet<string>;
  /** Of all targets, those included that are no mappings. */
  readonly targetNames: readonly string[];
}

/** Finds, reads and checks the config with all its targets; no config at all is an empty one. */
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
  return { problems, salvaged: { loaded, left: rest.left, targetNames: writtenNames(read.value) } };
}

function checkConfig(
  value: unknown,
  plugins: TargetPlugins,
): { readonly written?: Written; readonly faults: readonly Fault[] } {
  if (containsItself(value)) return { faults: [fault('config-syntax', 'the config contains itself')] };
  const checked = check(configSchema, value);
  const { targets: _, runners: __, ...rest } = { ...(value as Written) };
  const faults = [
    ...(checked.faults ?? []),
    ...publishedFaults(value),
    ...malformedReferences(rest, []),
    ...referenceFaults(value),
    ...writtenTargets(value).flatMap((entry) => targetFaults(entry, plugins)),
  ];
  return checked.value === undefined || faults.length > 0 ? { faults } : { written: checked.value, faults };
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
  const message = `there is also ${others.join(' and ')} in the same folder`;
  return { file, code: 'config-ambiguous', message, hint: 'keep one, or name one with --config' };
}

function definedOnly(environment: ConfigRequest['environment']): Record<string, string> {
  const entries = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return Object.fromEntries(entries) as Record<string, string>;
}
