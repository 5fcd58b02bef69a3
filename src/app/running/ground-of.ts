import type { Ground } from '../../core/handed-trials.ts';
import type { TestCase } from '../../core/test-case.ts';
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
    const { workspace } = caseOf(trial);
    const { shared, template, bootstrap } = workspace ?? {};
    if (shared === undefined) return undefined;
    if ('directory' in shared) return { key: digestOf(realPath(shared.directory)), isAlone };
    const staged = stagedFor(trial.target).map(({ source, to }) => [to, source]);
    return { key: digestOf([shared, template ?? null, bootstrap ?? null, staged]), isAlone };
  };
}
