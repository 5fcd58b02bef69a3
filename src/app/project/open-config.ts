import { loadConfig, type LoadResult } from '../../authoring/config/load-config.ts';
import { targetPlugins } from '../registry.ts';
import type { Surroundings } from '../surroundings.ts';
import { given } from '../../lib/given.ts';

export interface ConfigRequest {
  readonly file: string | undefined;
  readonly start: string;
  readonly surroundings: Surroundings;
}

/** Finds and checks the config of a command. Not in `config.ts`, because every command loads that and this needs parsers. */
export async function openConfig({ file, start, surroundings }: ConfigRequest): Promise<LoadResult> {
  const { served } = surroundings;
  if (served?.cwd === surroundings.cwd) return { loaded: served.loaded, problems: [] };
  return await loadConfig({
    ...given({ file }),
    startDirectory: start,
    cwd: surroundings.cwd,
    environment: surroundings.environment,
    plugins: targetPlugins,
  });
}
