import type { StagedFolder } from '../../core/plugin.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import { roomFor } from '../binding/room-of.ts';
import { stagedFolders } from '../binding/staged-folders.ts';
import type { UsedTarget } from '../binding/target-pool.ts';

/** Facts about targets, by name. */
export interface TargetFacts {
  /** Number of parallel trials. */
  readonly roomOf: (target: string) => number;
  /** Folders that the target copies into workspaces. */
  readonly stagedFor: (target: string) => readonly StagedFolder[];
}

export function targetFacts(
  targets: ReadonlyMap<string, UsedTarget>,
  settings: EffectiveSettings,
  configDirectory: string,
): TargetFacts {
  return {
    roomOf: (name) => roomFor(targets.get(name), settings),
    stagedFor: stagedFolders(targets, configDirectory),
  };
}
