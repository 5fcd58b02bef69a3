import { resolve } from 'node:path';

import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { runSettings, type RunSettings } from '../../authoring/config/run-settings.ts';
import { openConfig } from './open-config.ts';
import type { Surroundings } from '../surroundings.ts';

/** The folder of stored runs: as typed, else as configured, else the default. An invalid config is ignored. */
export async function outputDirectory(out: string | undefined, surroundings: Surroundings): Promise<string> {
  if (out !== undefined) return resolve(surroundings.cwd, out);
  const { loaded } = await openConfig({ file: undefined, start: surroundings.cwd, surroundings });
  return loaded === undefined
    ? resolve(surroundings.cwd, '.assay/runs')
    : runSettings(loaded).settings.outputDir;
}

/** The same for a project with a named config. If it sets no folder, commands without `--config` would look elsewhere. */
export async function directoryOfRuns(
  { loaded, run }: { readonly loaded: LoadedConfig; readonly run: Pick<RunSettings, 'outputDir'> },
  { config, out }: { readonly config?: string | undefined; readonly out?: string | undefined },
  surroundings: Surroundings,
): Promise<string> {
  const isElsewhere = config !== undefined && loaded.config.run?.outputDir === undefined;
  return isElsewhere || out !== undefined ? await outputDirectory(out, surroundings) : run.outputDir;
}
