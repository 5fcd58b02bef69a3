import type { StagedFolder } from '../../core/plugin.ts';
import { remembering } from '../../lib/text/remembering.ts';
import type { UsedTarget } from './target-pool.ts';

/** The folders that each target copies into workspaces. Looked up once. */
export function stagedFolders(
  targets: ReadonlyMap<string, UsedTarget>,
  configDirectory: string,
): (target: string) => readonly StagedFolder[] {
  return remembering(Infinity, (name) => {
    const used = targets.get(name);
    return used?.plugin.stages?.(used.settings.config, configDirectory) ?? [];
  });
}
