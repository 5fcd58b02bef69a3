import { shownPlan } from './plan/shown-plan.ts';
import { conductRun } from './run/conduct-run.ts';
import { nothingEarlier } from './run/earlier.ts';
import { failedTrials } from './plan/failed-trials.ts';
import { estimateCost } from './plan/estimate-cost.ts';
import { createRun } from './run/create-run.ts';
import { freezePlan } from './run/frozen-copies.ts';
import { fixBaseline, judgesOf } from './gates/judge-run.ts';
import { reporterSinks } from './run/reporter-sinks.ts';
import { dryText, planText, planJson } from './plan/plan-text.ts';
import type { Presentation, RunOutcome } from './presentation.ts';
import { prepareRun } from './plan/prepare-run.ts';
import { reportersOf } from './run/reporters.ts';
import type { RunOptions, Surroundings } from './run-options.ts';
import { runTrials } from './run/run-trials.ts';
import { openTokenBaselines } from './code-suites/token-baselines.ts';
import { outcomeOf } from './run/outcome.ts';
import { repositoryState } from './run/repository-state.ts';
import { ledgerFor, refuseUnknownCost } from './run/run-money.ts';

/** Loads, checks, plans and runs. Rejects with everything that was wrong before the first trial. */
export async function startRun(asked: RunOptions, presentation: Presentation): Promise<RunOutcome> {
  const { surroundings, out, screen, verbosity } = presentation;
  const repository = repositoryState(surroundings);
  const options = await fixBaseline(asked, out, surroundings);
  const prepared = await prepareRun({
    options,
    surroundings,
    out,
    failedIn: failedTrials,
  });
  const judges = await judgesOf(options, prepared);
  await refuseUnknownCost(prepared, options);
  const ledger = ledgerFor(options);
  const baselines = openTokenBaselines({ prepared, options, presentation });
  const reporters = await reportersOf(prepared.reporters, presentation);
  if (verbosity !== 'quiet') screen.write(planText(prepared));
  const run = await createRun({ prepared, surroundings, kind: 'run' });
  const earlier = nothingEarlier();
  try {
    await freezePlan(prepared, run);
    const result = await conductRun(
      {
        run,
        presentation,
        reporters,
        sinks: reporterSinks(reporters, {
          prepared,
          options,
          presentation,
          runDirectory: run.run.place,
        }),
        ...shownPlan(prepared, surroundings),
        ...earlier,
        repository,
        judges,
        ledger,
      },
      runTrials({ prepared, run, earlier, presentation, ledger, baselines }),
    );
    baselines?.write(presentation);
    return outcomeOf(result);
  } finally {
    run.release();
  }
}

export interface DryRequest {
  readonly surroundings: Surroundings;
  /** Where the runs are that `--failed` may name. */
  readonly out?: string | undefined;
  readonly form: 'text' | 'json';
}

/** The plan, and nothing run. */
export async function dryRun(options: RunOptions, { surroundings, out, form }: DryRequest): Promise<string> {
  const prepared = await prepareRun({
    options,
    surroundings,
    out,
    isDry: true,
    failedIn: failedTrials,
  });
  await judgesOf(options, prepared);
  await refuseUnknownCost(prepared, options);
  const estimate = await estimateCost(prepared);
  return form === 'json' ? planJson(prepared, estimate) : dryText(prepared, estimate);
}
