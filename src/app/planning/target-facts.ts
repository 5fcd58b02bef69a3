import type { StagedFolder } from '../../core/plugin.ts';
import { mostParallelOf } from '../binding/most-parallel.ts';
import { stagedFolders } from '../binding/staged-folders.ts';
import type { UsedTarget } from '../binding/target-pool.ts';
import type { EffectiveSettings } from './effective-settings.ts';

/** Facts about targets, by name. */
export interface TargetFacts {
  /** Number of parallel trials. */
  readonly mostParallel: (target: string) => number;
  /** Folders that the target copies into workspaces. */
  readonly stagedFor: (target: string) => readonly StagedFolder[];
}

export function targetFacts(
  targets: ReadonlyMap<string, UsedTarget>,
  settings: EffectiveSettings,
  configDirectory: string,
): TargetFacts {
  return {
    mostParallel: (name) => mostParallelOf(targets.get(name), settings),
    stagedFor: stagedFolders(targets, configDirectory),
  };
}
