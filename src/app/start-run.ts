import type { Problem } from '../core/problem.ts';
import { takesStore, type RunOptions } from '../core/run-options.ts';
import type { ListedRun } from '../core/run-store.ts';
import { given } from '../lib/given.ts';
import { fixBaseline } from './gates/run-conditions.ts';
import { beginRun } from './planning/begin-run.ts';
import { listedBySet, selectedSet } from './planning/selected-set.ts';
import { estimateCost } from './planning/estimate-cost.ts';
import { planRun } from './planning/plan-run.ts';
import { dryText, planJson, planText } from './planning/plan-text.ts';
import { runRemaining } from './conduct/run-remaining.ts';
import { checkedConditions, prepareTrials } from './conduct/prepare-trials.ts';
import type { RunOutcome, RunSite } from './conduct/run-site.ts';
import { bind } from './binding/bind.ts';
import { nothingEarlier } from './running/earlier.ts';
import { repositoryState } from './project/repository-state.ts';
import type { UsedAgent } from './planning/with-agents.ts';
import type { Surroundings } from './surroundings.ts';

/** Loads, checks, plans and runs. Throws all problems that are found before the first trial. */
export async function startRun(
  asked: RunOptions,
  site: RunSite,
  { listed, found, agents }: AskedStart = {},
): Promise<RunOutcome> {
  const { surroundings, out, presentation } = site;
  const repository = repositoryState(surroundings);
  const options = await fixBaseline(asked, out, surroundings);
  const planned = await planRun({
    options,
    surroundings,
    out,
    signal: site.interrupt.stop,
    ...given({ found, agents }),
  });
  const bound = bind(planned.spec, planned.machine);
  const conditions = await checkedConditions(bound);
  const prepared = await prepareTrials(bound, site);
  if (presentation.verbosity !== 'quiet') presentation.screen.write(planText({ ...planned, bound }));
  const known = listed ?? (await ownListing(options, surroundings));
  const run = await beginRun(bound, { ...planned, listed: known }, surroundings);
  try {
    const earlier = { ...nothingEarlier(), wasQueued: listed?.state === 'queued' };
    return await runRemaining({ bound, run, site, prepared, earlier, conditions, repository });
  } finally {
    await run.release();
  }
}

/** How the store lists a run of this command. */
async function ownListing(options: RunOptions, surroundings: Surroundings): Promise<ListedRun | undefined> {
  if (!takesStore(options)) return undefined;
  return { origin: 'cli', ...listedBySet(await selectedSet(options.select?.set, surroundings), undefined) };
}

/** What only a server asks for. */
export interface AskedStart {
  readonly listed?: ListedRun;
  /** Mistakes of the request, which are reported together with those of the plan. */
  readonly found?: readonly Problem[];
  /** Agents of the store among the targets. */
  readonly agents?: readonly UsedAgent[];
}

export interface DryRequest {
  readonly surroundings: Surroundings;
  /** Folder of the runs that `--failed` can name. */
  readonly out?: string | undefined;
  readonly form: 'text' | 'json';
  readonly found?: readonly Problem[];
  readonly agents?: readonly UsedAgent[];
}

/** Returns the plan without running it. */
export async function dryRun(
  options: RunOptions,
  { surroundings, out, form, found, agents }: DryRequest,
): Promise<string> {
  const planned = await planRun({
    options,
    surroundings,
    out,
    isDry: true,
    isPlanOnly: true,
    ...given({ found, agents }),
  });
  const bound = bind(planned.spec, planned.machine);
  await checkedConditions(bound);
  const estimate = await estimateCost(bound);
  const shown = { ...planned, bound };
  return form === 'json' ? planJson(shown, estimate) : dryText(shown, estimate);
}
