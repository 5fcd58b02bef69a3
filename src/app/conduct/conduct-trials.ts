import { askedConditions, type AskedConditions } from '../gates/run-conditions.ts';
import { caseSources } from '../present/case-sources.ts';
import { casePlaces } from '../present/case-places.ts';
import { reporterSinks } from '../present/reporter-sinks.ts';
import { reportersOf } from '../present/reporters.ts';
import type { BoundRun } from '../binding/bind.ts';
import { openTokenBaselines, type TokenBaselines } from '../running/code-suites/token-baselines.ts';
import { handsOf } from '../running/choose-hands.ts';
import type { Earlier } from '../running/earlier.ts';
import { requireSandboxes } from '../binding/require-sandboxes.ts';
import { refuseUnknownCost } from '../binding/run-money.ts';
import { runTrials } from '../running/run-trials.ts';
import { conductRun, type ConductedRun } from './conduct-run.ts';
import { refuseLocalOfWorkers } from './refuse-local.ts';
import type { RunOutcome, RunSite } from './run-site.ts';

/** What the trials of a run need besides the plan. */
export interface TrialTools extends Pick<ConductedRun, 'reporters' | 'ledger'> {
  readonly tokenBaselines: TokenBaselines | undefined;
}

/** The conditions on a bound run. Throws if they cannot be met, or if a cost limit is set and a cost is unknown. */
export async function checkedConditions(bound: BoundRun): Promise<AskedConditions | undefined> {
  const conditions = await askedConditions(bound);
  await refuseUnknownCost(bound);
  return conditions;
}

/** Throws if the sandboxes of a run cannot be used. `spentUsd`: the cost of its earlier processes in US dollars. */
export async function prepareTrials(bound: BoundRun, site: RunSite, spentUsd?: number): Promise<TrialTools> {
  const { surroundings, presentation } = site;
  const { maxCostUsd } = bound.spec.options;
  await requireSandboxes(bound);
  const tokenBaselines = openTokenBaselines({ bound, ci: presentation.ci, surroundings });
  if (surroundings.hands === 'workers') refuseLocalOfWorkers(bound, tokenBaselines);
  return {
    ledger: maxCostUsd === undefined ? undefined : handsOf(surroundings).openLedger(maxCostUsd, spentUsd),
    tokenBaselines,
    reporters: await reportersOf(bound.machine.run.reporters, site),
  };
}

/** A bound run whose remaining trials are prepared. */
export interface RemainingTrials extends Pick<
  ConductedRun,
  'run' | 'site' | 'conditions' | 'repository' | 'endedAt'
> {
  readonly bound: BoundRun;
  readonly tools: TrialTools;
  readonly earlier: Earlier;
}

/** Runs the remaining trials of a run, for a new run and for a resumed one. */
export async function conductTrials({ bound, tools, ...run }: RemainingTrials): Promise<RunOutcome> {
  const { tokenBaselines, ledger, reporters } = tools;
  const { site, earlier } = run;
  const { plan, machine, spec } = bound;
  const { screen, verbosity, ci } = site.presentation;
  const { cwd } = site.surroundings;
  const hands = handsOf(site.surroundings);
  const onlookers = await reporterSinks(reporters, { bound, screen, ci, cwd, run: run.run.stored });
  const outcome = await conductRun(
    {
      ...run,
      ledger,
      reporters,
      onlookers,
      maxErrored: spec.settings.maxErrored,
      hands,
      projectRoot: machine.projectRoot,
      placeOf: casePlaces(plan),
      sourceOf: caseSources(plan, cwd),
    },
    (running) => runTrials({ bound, run: run.run, earlier, ledger, tokenBaselines, hands }, running),
  );
  const recorded = tokenBaselines?.write();
  if (recorded !== undefined && verbosity !== 'quiet') screen.write(recorded);
  return outcome;
}
