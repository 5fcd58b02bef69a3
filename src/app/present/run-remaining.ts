import type { OpenRun } from '../../core/run-store.ts';
import { askedConditions, type AskedConditions } from '../gates/run-conditions.ts';
import type { BoundRun } from '../running/bind.ts';
import { openTokenBaselines, type TokenBaselines } from '../running/code-suites/token-baselines.ts';
import type { Earlier } from '../running/earlier.ts';
import { requireSandboxes } from '../running/require-sandboxes.ts';
import { ledgerFor, refuseUnknownCost } from '../running/run-money.ts';
import { runTrials } from '../running/run-trials.ts';
import type { PresentedRun } from './present-run.ts';
import { presentRun, sayRecorded } from './present-run.ts';
import type { Presentation, RunOutcome } from './presentation.ts';
import { refuseLocalOfWorkers } from './refuse-local.ts';
import { reporterSinks } from './reporter-sinks.ts';
import { reportersOf } from './reporters.ts';
import { shownPlan } from './shown-plan.ts';

/** The conditions on a bound run. Throws if they cannot be met, or if a cost limit is set and a cost is unknown. */
export async function checkedConditions(bound: BoundRun): Promise<AskedConditions | undefined> {
  const conditions = await askedConditions(bound);
  await refuseUnknownCost(bound);
  return conditions;
}

/** Everything besides the plan that a run needs. */
export type RunTools = Pick<PresentedRun, 'reporters' | 'ledger'> & {
  readonly tokenBaselines: TokenBaselines | undefined;
};

/** Opens the tools of a run. Throws if its sandboxes cannot run. `spentUsd`: the cost of its earlier processes in US dollars. */
export async function openTools(
  bound: BoundRun,
  presentation: Presentation,
  spentUsd?: number,
): Promise<RunTools> {
  const { ci, surroundings } = presentation;
  const { hands } = surroundings;
  await requireSandboxes(bound);
  const tokenBaselines = openTokenBaselines({ bound, ci, surroundings });
  if (hands === 'workers') refuseLocalOfWorkers(bound, tokenBaselines);
  return {
    ledger: ledgerFor(bound.spec.options, { spentUsd, hands }),
    tokenBaselines,
    reporters: await reportersOf(bound.machine.run.reporters, presentation),
  };
}

/** A run with open tools, whose remaining trials are to be run. */
export interface RemainingRun extends Pick<PresentedRun, 'conditions' | 'repository' | 'endedAt'> {
  readonly bound: BoundRun;
  readonly run: OpenRun;
  readonly tools: RunTools;
  readonly earlier: Earlier;
  readonly presentation: Presentation;
  /** Called when the run ends before all of its trials have ended. */
  readonly onUnfinished?: () => void;
  readonly wasQueued?: boolean;
  readonly usesOwnAnswers?: true;
}

/** Runs the remaining trials of a run and shows them, for a new run and for a resumed one. */
export async function runRemaining(remaining: RemainingRun): Promise<RunOutcome> {
  const { bound, run, tools, earlier, presentation, onUnfinished, wasQueued, usesOwnAnswers, ...shown } =
    remaining;
  const { tokenBaselines, ...ofRun } = tools;
  const { maxErrored } = bound.spec.settings;
  const { hands } = presentation.surroundings;
  const { ledger } = tools;
  const asked = { wasQueued, usesOwnAnswers, hands };
  const work = runTrials({ bound, run, earlier, ledger, tokenBaselines, ...asked });
  const onlookers = await reporterSinks(tools.reporters, { bound, presentation, run: run.stored });
  const ofPlan = shownPlan(bound, presentation.surroundings);
  const outcome = await presentRun(
    {
      run,
      presentation,
      onlookers,
      maxErrored,
      isShared: hands !== undefined,
      ...ofPlan,
      ...earlier,
      ...ofRun,
      ...shown,
    },
    async (running) => {
      const state = await work(running);
      if (state !== 'completed') onUnfinished?.();
      return state;
    },
  );
  sayRecorded(tokenBaselines?.write(), presentation);
  return outcome;
}
