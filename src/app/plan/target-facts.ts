import type { StagedFolder } from '../../core/plugin.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import { stagedFolders } from './staged-folders.ts';
import type { UsedTarget } from '../run/target-pool.ts';

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
    roomOf: (name) => roomOf(targets.get(name), settings),
    stagedFor: stagedFolders(targets, configDirectory),
  };
}

/** Trials of a target at once; `schedule: parallel` lifts what its type would set by itself. */
function roomOf(used: UsedTarget | undefined, { concurrency, schedule }: EffectiveSettings): number {
  const byType = schedule === 'parallel' ? undefined : used?.plugin.maxParallel;
  return Math.min(used?.settings.maxParallel ?? byType ?? concurrency, concurrency);
}
