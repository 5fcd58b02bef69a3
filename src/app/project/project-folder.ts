import type { Surroundings } from '../surroundings.ts';
import { openConfig } from './open-config.ts';

/** The folder of the config, else the working directory: `.assay` is in it. An invalid config counts as none. */
export async function projectFolder(surroundings: Surroundings): Promise<string> {
  const { loaded } = await openConfig({ file: undefined, start: surroundings.cwd, surroundings });
  return loaded?.directory ?? surroundings.cwd;
}
