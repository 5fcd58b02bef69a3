import type { ConductInput } from '../run/conduct-run.ts';
import type { Surroundings } from '../run-options.ts';
import { casePlaces } from './case-places.ts';
import { caseSources } from './case-sources.ts';
import type { PreparedRun } from './prepare-run.ts';

/** What of a plan those need who show its run. */
export function shownPlan(
  { plan, projectRoot, settings }: Pick<PreparedRun, 'plan' | 'projectRoot' | 'settings'>,
  { cwd }: Pick<Surroundings, 'cwd'>,
): Pick<ConductInput, 'projectRoot' | 'placeOf' | 'sourceOf' | 'maxErrored'> {
  return {
    projectRoot,
    placeOf: casePlaces(plan),
    sourceOf: caseSources(plan, cwd),
    maxErrored: settings.maxErrored,
  };
}
