import type { StagedFolder } from '../../core/plugin.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import { roomFor } from '../running/room-of.ts';
import { stagedFolders } from '../running/staged-folders.ts';
import type { UsedTarget } from '../running/target-pool.ts';

/** What is known of targets by their names. */
export interface TargetFacts {
  /** Trials at once. */
  readonly roomOf: (target: string) => number;
  /** Folders that it brings. */
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
