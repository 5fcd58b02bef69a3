import { resolve } from 'node:path';

import { runSettings } from '../../authoring/config/run-settings.ts';
import { openConfig } from './open-config.ts';
import type { Surroundings } from '../run-options.ts';

/** Where runs are kept: as typed, else as the config says; a config with problems counts as none. */
export async function outputDirectory(out: string | undefined, surroundings: Surroundings): Promise<string> {
  if (out !== undefined) return resolve(surroundings.cwd, out);
  const { loaded } = await openConfig({ file: undefined, start: surroundings.cwd, surroundings });
  return loaded === undefined
    ? resolve(surroundings.cwd, '.assay/runs')
    : runSettings(loaded).settings.outputDir;
}
