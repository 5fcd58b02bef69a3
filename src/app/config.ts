import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { loadConfig, type LoadResult } from '../authoring/config/load-config.ts';
import type { TargetPlugin } from '../core/plugin.ts';
import type { Surroundings } from './run-options.ts';

/** The environment of this process; the one place that reads it. */
export function processEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

/** The module that `assay` means inside suites and configs: the one that is running. */
export function packageEntry(): string {
  return fileURLToPath(
    new URL(import.meta.url.includes('/dist/') ? distEntry() : '../index.ts', import.meta.url),
  );
}

function distEntry(): string {
  return import.meta.url.includes('/dist/chunks/') ? '../index.js' : '../index.js';
}

export interface ConfigRequest {
  readonly file: string | undefined;
  readonly start: string;
  readonly surroundings: Surroundings;
  readonly targets: ReadonlyMap<string, TargetPlugin>;
}

/** Finds and checks the config of a command. */
export function openConfig({ file, start, surroundings, targets }: ConfigRequest): Promise<LoadResult> {
  return loadConfig({
    ...(file === undefined ? {} : { file }),
    startDirectory: start,
    cwd: surroundings.cwd,
    environment: surroundings.environment,
    packageEntry: packageEntry(),
    plugins: targets,
  });
}

/** The nearest folder upward with `.git` or a config; else the folder itself. */
export function projectRootOf(start: string, configFile: string | undefined): string {
  const stop = configFile === undefined ? undefined : dirname(configFile);
  for (let folder = start; ; folder = dirname(folder)) {
    if (folder === stop || existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return start;
  }
}

/** A path as a person would type it. */
export function shownPath(path: string, cwd: string): string {
  const shown = relative(cwd, path);
  return shown === '' ? '.' : shown.startsWith('../../..') ? path : shown;
}
