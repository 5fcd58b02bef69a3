import type { RunOptions } from '../core/run-options.ts';
import { beginRun } from './begin-run.ts';
import { fixBaseline } from './gates/run-conditions.ts';
import { estimateCost } from './planning/estimate-cost.ts';
import { planRun } from './planning/plan-run.ts';
import { dryText, planJson, planText } from './planning/plan-text.ts';
import type { Presentation, RunOutcome } from './present/presentation.ts';
import { checkedConditions, conductRun, openTools } from './present/conduct-run.ts';
import { bind } from './running/bind.ts';
import { nothingEarlier } from './running/earlier.ts';
import { reporterSinks } from './present/reporter-sinks.ts';
import { repositoryState } from './running/repository-state.ts';
import type { Surroundings } from './surroundings.ts';

/** Loads, checks, plans and runs. Throws all problems that are found before the first trial. */
export async function startRun(asked: RunOptions, presentation: Presentation): Promise<RunOutcome> {
  const { surroundings, out, screen, verbosity } = presentation;
  const repository = repositoryState(surroundings);
  const options = await fixBaseline(asked, out, surroundings);
  const planned = await planRun({ options, surroundings, out });
  const bound = bind(planned.spec, planned.machine);
  const conditions = await checkedConditions(bound);
  const tools = await openTools(bound, presentation);
  if (verbosity !== 'quiet') screen.write(planText({ ...planned, bound }));
  const run = await beginRun(bound, planned, surroundings);
  try {
    const onlookers = reporterSinks(tools.reporters, { bound, presentation, run: run.run });
    const earlier = nothingEarlier();
    return await conductRun({ bound, run, tools, earlier, presentation, onlookers, repository, conditions });
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
  await checkedConditions(bound);
  const estimate = await estimateCost(bound);
  const shown = { ...planned, bound };
  return form === 'json' ? planJson(shown, estimate) : dryText(shown, estimate);
}
