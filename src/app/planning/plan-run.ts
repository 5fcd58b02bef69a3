import { bareReferences } from '../../authoring/config/bare-references.ts';
import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { problemAt } from '../../authoring/config/locate.ts';
import { AssayError } from '../../core/errors.ts';
import { AuthoringError, type Problem } from '../../core/problem.ts';
import type { RunSpec } from '../../core/run-spec.ts';
import { given } from '../../lib/given.ts';
import type { RunStore } from '../../core/run-store.ts';
import { choiceOf } from '../compare/chosen-from.ts';
import { createDigestList } from './digests.ts';
import { effectiveSettings } from './effective-settings.ts';
import { failedTrials, type OnlyTrials, goneCases, suitesOfFailed } from './failed-trials.ts';
import { directoryOfRuns } from '../project/output-directory.ts';
import { plannedGateProblems } from '../gates/run-conditions.ts';
import { thresholdOfCases } from './load/choose-grading.ts';
import { isNoConsequenceOf } from './load/consequences.ts';
import type { Machine, Project } from '../binding/machine.ts';
import type { AskedAgents } from './load/load-agents.ts';
import { readProject } from './load/load-project.ts';
import { type PlanManifest, planManifest } from './plan-manifest.ts';
import { handsOf } from '../running/choose-hands.ts';
import { specOf } from './spec-of.ts';
import { assignRoles } from './assign-roles.ts';
import { takesStore, type RunOptions } from '../../core/run-options.ts';
import type { Surroundings } from '../surroundings.ts';
import { lastingReference, replaysOf } from './stored-runs.ts';
import { type OwnSettings, trialSettings } from '../binding/trial-settings.ts';
import { runsIn, runsOfStore } from '../runs.ts';
import { planOf } from './plan-of.ts';
import { isPlanCertain } from './is-plan-certain.ts';
import { crowdedDirectories } from './crowded-directories.ts';
import { targetFacts } from './target-facts.ts';
import { withImageIds } from '../binding/image-ids.ts';
import { askedTargets, useTargets } from '../binding/use-targets.ts';

/** A planned run: its spec, and everything else known before the first trial. */
export interface PlannedRun {
  readonly spec: RunSpec;
  /** The machine on which it was planned. */
  readonly machine: Machine;
  readonly manifest: PlanManifest;
  /** Warnings about targets and judges, which do not stop the run. */
  readonly warnings: readonly Problem[];
  /** Keys, addresses and packages without which a start is refused here; empty unless it is a dry run. */
  readonly missing: readonly Problem[];
  /** Distinct settings of the cases themselves, limited to a few. */
  readonly ownSettings: readonly OwnSettings[];
}

/** What must stay the same as in an earlier process of the same run. */
export interface PlanAgain {
  readonly digests: readonly string[];
  readonly seed: number;
}

export interface PlanningRequest {
  readonly options: RunOptions;
  readonly surroundings: Surroundings;
  readonly out?: string | undefined;
  readonly again?: PlanAgain;
  /** A dry run: missing keys are only warnings. */
  readonly isDry?: true;
  /** No run follows: no image is built or fetched for it. */
  readonly isPlanOnly?: true;
  /** The runs that references mean, and where the run will be. Absent: as the options say. */
  readonly runs?: RunStore;
  /** Agents of a run into the store that are chosen already. Absent: as `options.targets` names them. */
  readonly agents?: AskedAgents['agents'];
  /** Ends the making of images; the plan is then rejected. */
  readonly signal?: AbortSignal | undefined;
  /** Mistakes that are known already, which are reported together with the others. */
  readonly found?: readonly Problem[];
}

/** Loads config and suites, reports all problems at once, and makes the plan. Does not run it. */
export async function planRun(asked: PlanningRequest): Promise<PlannedRun> {
  const { surroundings } = asked;
  refuseUnseededShard(asked.options);
  const suites = await suitesOfFailed(asked);
  const { project, omitted, targets, ...read } = await readProject({ ...asked, suites });
  const options = { ...asked.options, targets };
  const request = { ...asked, options };
  const problems = [...(asked.found ?? []), ...read.problems];
  if (project === undefined || problems.length > 0) {
    throw new AuthoringError([
      ...problems,
      ...(await laterProblems(request, { project, problems: read.problems })).filter(
        isNoConsequenceOf(omitted),
      ),
    ]);
  }
  const outputDirectory = await directoryOfRuns(
    project,
    { config: options.config, out: request.out },
    surroundings,
  );
  const runs = request.runs ?? (await runsFor(options, outputDirectory, surroundings));
  const planning = { project, outputDirectory, runs };
  if (options.failed === undefined) return await assemble(request, { ...planning, only: undefined });
  const failed = await lastingReference(options.failed, runs);
  const { only, cases } = await failedTrials(failed, runs);
  const assembled = await assemble({ ...request, options: { ...options, failed } }, { ...planning, only });
  const gone = goneCases(cases, { project, options: { ...options, failed } });
  const planned = { ...assembled, warnings: [...assembled.warnings, ...gone] };
  // A resumed run keeps its selection, even if the source run was removed.
  if (request.again !== undefined) return planned;
  const source = await (await runs.find(failed)).run.head();
  return { ...planned, manifest: { ...planned.manifest, chosenFrom: await choiceOf(source, runs) } };
}

/** Further problems that would only appear after the known ones are fixed. */
async function laterProblems(
  request: PlanningRequest,
  { project, problems }: { readonly project: Project | undefined; readonly problems: readonly Problem[] },
): Promise<readonly Problem[]> {
  if (project === undefined) return [];
  const { outputDir: outputDirectory } = project.run;
  const { surroundings, found = [] } = request;
  const { gates = [], ...ungated } = request.options;
  const options = isPlanCertain(found, problems) ? { ...ungated, gates } : ungated;
  try {
    const runs = request.runs ?? (await runsFor(options, outputDirectory, surroundings));
    await assemble({ ...request, options }, { project, outputDirectory, runs, only: undefined });
    return [];
  } catch (error) {
    if (error instanceof AuthoringError) return error.problems;
    return request.found === undefined ? [] : emptyIn(project, error);
  }
}

/** An empty selection of a suite that was read. */
function emptyIn({ suites }: Project, error: unknown): readonly Problem[] {
  if (!(error instanceof AssayError) || error.code !== 'empty-selection' || suites.length === 0) return [];
  const { message, hint } = error;
  return [{ file: 'the selection', code: 'empty-selection', message, ...given({ hint }) }];
}

async function runsFor(
  options: RunOptions,
  outputDirectory: string,
  surroundings: Surroundings,
): Promise<RunStore> {
  const isStored = takesStore(options) || !handsOf(surroundings).areHere;
  return isStored ? await runsOfStore(surroundings) : runsIn(outputDirectory, surroundings);
}

/** Throws unless all shards draw the same sample. */
function refuseUnseededShard({ sample, shard, seed }: RunOptions): void {
  if (sample === undefined || shard === undefined || seed !== undefined) return;
  throw new AssayError('usage', '--sample with --shard needs --seed', {
    stage: 'plan',
    hint: 'use the same --seed for all shards, so that they draw the same sample',
  });
}

interface Planning {
  readonly project: Project;
  readonly outputDirectory: string;
  readonly runs: RunStore;
  readonly only: OnlyTrials | undefined;
}

async function assemble(
  { options, again, isDry, isPlanOnly, signal, surroundings: { cwd } }: PlanningRequest,
  { project, outputDirectory, runs, only }: Planning,
): Promise<PlannedRun> {
  const { loaded } = project;
  const settings = effectiveSettings(settingsOfCases(project, options), options, again?.seed);
  const digests = createDigestList(again?.digests);
  const made = planOf({ options, project, settings, digests }, { only, outputDirectory });
  const { plan, caseFacts } = made;
  const used = useTargets(plan.targets, loaded, askedTargets(options));
  const images = isPlanOnly === true ? 'present' : 'made';
  const use = await withImageIds(used, { directory: loaded.directory, images, signal });
  const settingsFor = trialSettings({ options, settings, targets: use.targets });
  const ofGates = plannedGateProblems(options, { ...project, plan, digests: digests.list });
  const roles = assignRoles({ ...made, use }, { settingsFor, isDry, ofGates });
  const facts = targetFacts(use.targets, settings, loaded.directory);
  const replays = options.replays ?? (await replaysOf(use.targets, runs));
  const asked = Object.keys(replays).length === 0 ? options : { ...options, replays };
  const targeted = { ...made, options: asked, use };
  const manifest = planManifest(targeted);
  return {
    spec: specOf(targeted, { roles, replays, manifest }),
    machine: { ...project, runs, cwd },
    manifest,
    warnings: [
      ...project.warnings,
      ...bareSettings(loaded),
      ...use.warnings,
      ...roles.warnings,
      ...crowdedDirectories(plan, settings, facts),
    ],
    missing: roles.missing,
    ownSettings: caseFacts.ownSettings,
  };
}

/** Stored cases have a threshold of their own. */
function settingsOfCases({ run, loaded }: Project, { stored }: RunOptions): Project['run'] {
  return stored === true ? { ...run, threshold: thresholdOfCases(loaded) } : run;
}

/** Problems with malformed references to environment variables outside targets. */
function bareSettings({ config, origin }: LoadedConfig): readonly Problem[] {
  const { judge, user, models, run } = config;
  return bareReferences({ judge, user, models, run }, []).map((found) => problemAt(origin, found));
}
