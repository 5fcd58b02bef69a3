import { casePlaces } from '../present/case-places.ts';
import { caseSources } from '../present/case-sources.ts';
import { reporterSinks } from '../present/reporter-sinks.ts';
import type { BoundRun } from '../binding/bind.ts';
import { handsOf } from '../running/choose-hands.ts';
import type { Earlier } from '../running/earlier.ts';
import { workOnTrials } from '../running/work-on-trials.ts';
import { presentRun, type PresentedRun } from './present-run.ts';
import type { PreparedTrials } from './prepare-trials.ts';
import type { RunOutcome } from './run-site.ts';

/** A bound run whose remaining trials are prepared. */
export interface RemainingTrials extends Pick<
  PresentedRun,
  'run' | 'site' | 'conditions' | 'repository' | 'endedAt'
> {
  readonly bound: BoundRun;
  readonly prepared: PreparedTrials;
  readonly earlier: Earlier;
}

/** Runs the remaining trials of a run, for a new run and for a resumed one. */
export async function runRemaining({ bound, prepared, ...remaining }: RemainingTrials): Promise<RunOutcome> {
  const { tokenBaselines, ledger, reporters } = prepared;
  const { run, site, earlier } = remaining;
  const { plan, machine, spec } = bound;
  const { screen, verbosity, ci } = site.presentation;
  const { cwd } = site.surroundings;
  const hands = handsOf(site.surroundings);
  const onlookers = await reporterSinks(reporters, { bound, screen, ci, cwd, run: run.stored });
  const outcome = await presentRun(
    {
      ...remaining,
      ledger,
      reporters,
      onlookers,
      maxErrored: spec.settings.maxErrored,
      hands,
      projectRoot: machine.projectRoot,
      placeOf: casePlaces(plan),
      sourceOf: caseSources(plan, cwd),
    },
    (running) => workOnTrials({ bound, run, earlier, ledger, tokenBaselines, hands }, running),
  );
  const recorded = tokenBaselines?.write();
  if (recorded !== undefined && verbosity !== 'quiet') screen.write(recorded);
  return outcome;
}
