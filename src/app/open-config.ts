import { fileURLToPath } from 'node:url';

import { loadConfig, type LoadResult } from '../authoring/config/load-config.ts';
import type { TargetPlugin } from '../core/plugin.ts';
import type { Surroundings } from './run-options.ts';

export interface ConfigRequest {
  readonly file: string | undefined;
  readonly start: string;
  readonly surroundings: Surroundings;
  readonly targets: ReadonlyMap<string, TargetPlugin>;
}

/** Finds and checks the config of a command. Apart from `config.ts`, which every command loads: this brings parsers. */
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

/** The module that `assay` means inside suites and configs: the one that is running. */
function packageEntry(): string {
  // Bundled it stands in dist/chunks or dist/cli.
  const entry = import.meta.url.includes('/dist/') ? '../index.js' : '../index.ts';
  return fileURLToPath(new URL(entry, import.meta.url));
}
