import type { StagedFolder } from '../../core/plugin.ts';
import type { UsedTarget } from './target-pool.ts';

/** The folders that each target copies into workspaces. Looked up once. */
export function stagedFolders(
  targets: ReadonlyMap<string, UsedTarget>,
  configDirectory: string,
): (target: string) => readonly StagedFolder[] {
  const found = new Map<string, readonly StagedFolder[]>();
  return (name) => {
    const known = found.get(name);
    if (known !== undefined) return known;
    const used = targets.get(name);
    const staged = used?.plugin.stages?.(used.settings.config, configDirectory) ?? [];
    found.set(name, staged);
    return staged;
  };
}
