import { takesStore, type RunOptions } from '../../../core/run-options.ts';
import type { RunSpec } from '../../../core/run-spec.ts';
import type { ManifestHead, StoredRun } from '../../../core/run-store.ts';
import type { Project } from '../../binding/machine.ts';
import type { Surroundings } from '../../surroundings.ts';
import { agentsOfSpec } from '../with-agents.ts';
import { casesOfRun } from './cases-of-run.ts';
import { loadProject } from './load-project.ts';

/** A stored run with its spec. */
export interface SpecifiedRun {
  readonly stored: StoredRun;
  readonly manifest: ManifestHead;
  readonly spec: RunSpec;
}

/**
 * Loads what a run spec names from the current checkout, and stored cases from the copies of the run. `places`: only
 * stored cases at these places of the plan are read at once; absent: all.
 */
export async function projectOfSpec(
  { stored, manifest, spec, places }: SpecifiedRun & { readonly places?: readonly number[] },
  options: RunOptions,
  surroundings: Surroundings,
): Promise<Project> {
  const isOfFailed = options.failed !== undefined && options.stored !== true;
  const repeat = manifest.settings.repeat ?? 1;
  return await loadProject({
    options,
    surroundings,
    suites: isOfFailed ? new Set(spec.suites.map(({ id }) => id)) : undefined,
    cases: takesStore(options) ? casesOfRun(stored, { spec, repeat, places }, surroundings) : undefined,
    agents: agentsOfSpec(spec),
    metrics: spec.metrics,
  });
}
