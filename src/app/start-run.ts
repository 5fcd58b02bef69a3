import type { RunOptions } from '../core/run-options.ts';
import { beginRun } from './begin-run.ts';
import { openTokenBaselines } from './running/code-suites/token-baselines.ts';
import { askedConditions, fixBaseline } from './gates/run-conditions.ts';
import { estimateCost } from './planning/estimate-cost.ts';
import { planRun } from './planning/plan-run.ts';
import { dryText, planJson, planText } from './planning/plan-text.ts';
import { presentRun, sayRecorded } from './present/present-run.ts';
import type { Presentation, RunOutcome } from './presentation.ts';
import { bind } from './running/bind.ts';
import { nothingEarlier } from './running/earlier.ts';
import { reporterSinks } from './present/reporter-sinks.ts';
import { reportersOf } from './present/reporters.ts';
import { repositoryState } from './running/repository-state.ts';
import { ledgerFor, refuseUnknownCost } from './running/run-money.ts';
import { runTrials } from './running/run-trials.ts';
import { shownPlan } from './present/shown-plan.ts';
import type { Surroundings } from './surroundings.ts';

/** Loads, checks, plans and runs. Throws all problems that are found before the first trial. */
export async function startRun(asked: RunOptions, presentation: Presentation): Promise<RunOutcome> {
  const { surroundings, out, screen, verbosity } = presentation;
  const repository = repositoryState(surroundings);
  const options = await fixBaseline(asked, out, surroundings);
  const planned = await planRun({ options, surroundings, out });
  const bound = bind(planned.spec, planned.machine);
  const conditions = await askedConditions(bound);
  await refuseUnknownCost(bound);
  const ledger = ledgerFor(options);
  const baselines = openTokenBaselines({ bound, ci: presentation.ci, surroundings });
  const reporters = await reportersOf(planned.machine.run.reporters, presentation);
  if (verbosity !== 'quiet') screen.write(planText({ ...planned, bound }));
  const run = await beginRun(bound, planned, surroundings);
  const earlier = nothingEarlier();
  try {
    const outcome = await presentRun(
      {
        run,
        presentation,
        reporters,
        onlookers: reporterSinks(reporters, { bound, presentation, run: run.run }),
        ...shownPlan(bound, surroundings),
        ...earlier,
        repository,
        conditions,
        ledger,
      },
      runTrials({ bound, run, earlier, ledger, baselines }),
    );
    sayRecorded(baselines?.write(), presentation);
    return outcome;
  } finally {
    await run.release();
  }
}

export interface DryRequest {
  readonly surroundings: Surroundings;
  /** Folder of the runs that `--failed` can name. */
  readonly out?: string | undefined;
  readonly form: 'text' | 'json';
}

/** Returns the plan without running it. */
export async function dryRun(options: RunOptions, { surroundings, out, form }: DryRequest): Promise<string> {
  const planned = await planRun({ options, surroundings, out, isDry: true });
  const bound = bind(planned.spec, planned.machine);
  await askedConditions(bound);
  await refuseUnknownCost(bound);
  const estimate = await estimateCost(bound);
  const shown = { ...planned, bound };
  return form === 'json' ? planJson(shown, estimate) : dryText(shown, estimate);
}
