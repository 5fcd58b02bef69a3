import type { Ground } from '../../core/handed-trials.ts';
import type { StagedFolder } from '../../core/plugin.ts';
import type { TestCase, WorkspacePlan } from '../../core/test-case.ts';
import type { PlannedTrial } from '../../engine/trial-context.ts';
import { realPath } from '../../lib/files/real-path.ts';
import { digestOf } from '../../lib/digest.ts';
import type { BoundRun } from './bind.ts';
import { stagedFolders } from './staged-folders.ts';

/** The directory that a trial shares with others; undefined: it has its own, or none. */
export type GroundOf = (trial: PlannedTrial) => Ground | undefined;

/** Finds the shared directories of the trials of a run. */
export function groundsOf(
  { use, machine, spec }: Pick<BoundRun, 'use' | 'machine' | 'spec'>,
  caseOf: (trial: PlannedTrial) => TestCase,
): GroundOf {
  const stagedFor = stagedFolders(use.targets, machine.loaded.directory);
  const isAlone = spec.settings.schedule === undefined;
  return (trial) => {
    const key = groundKey(caseOf(trial).workspace, () => stagedFor(trial.target));
    return key === undefined ? undefined : { key, isAlone };
  };
}

/** The key of a shared directory. One of the user is identified by its path, one of the run by its content. */
export function groundKey(
  { shared, template, bootstrap }: WorkspacePlan = {},
  staged: () => readonly StagedFolder[],
): string | undefined {
  if (shared === undefined) return undefined;
  if ('directory' in shared) return digestOf(realPath(shared.directory));
  const folders = staged().map(({ source, to }) => [to, source]);
  return digestOf([shared, template ?? null, bootstrap ?? null, folders]);
}
