import type { PresentedRun } from './present-run.ts';
import type { Surroundings } from '../surroundings.ts';
import { casePlaces } from './case-places.ts';
import { caseSources } from './case-sources.ts';
import type { BoundRun } from '../running/bind.ts';

/** The part of a plan that is needed to show its run. */
export function shownPlan(
  { plan, machine: { projectRoot } }: BoundRun,
  { cwd }: Pick<Surroundings, 'cwd'>,
): Pick<PresentedRun, 'projectRoot' | 'placeOf' | 'sourceOf'> {
  return {
    projectRoot,
    placeOf: casePlaces(plan),
    sourceOf: caseSources(plan, cwd),
  };
}
