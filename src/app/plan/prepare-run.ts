import { bareReferences } from '../../authoring/config/bare-references.ts';
import { literalSecrets } from '../../authoring/config/literal-secrets.ts';
import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { problemAt } from '../../authoring/config/locate.ts';
import type { ModelDoor } from '../../core/model.ts';
import type { GraderPlugin } from '../../core/plugin.ts';
import { AssayError } from '../../core/errors.ts';
import { AuthoringError, type Problem } from '../../core/problem.ts';
import type { TestCase } from '../../core/test-case.ts';
import type { TrialId } from '../../core/trial.ts';
import type { PlannedTrial, TrialSettings } from '../../engine/parts.ts';
import { makePlan, type Plan } from '../../engine/plan.ts';
import type { Redactor } from '../../lib/redact/redact.ts';
import type { JudgeNames } from '../judging/choose-judge.ts';
import { judgeIdentity } from '../judging/judge-identity.ts';
import type { RunStore } from '../../core/run-store.ts';
import { choiceOf } from '../compare/chosen-from.ts';
import type { NamedSecret } from '../../lib/redact/secrets.ts';
import type { UserChoice } from './choose-user.ts';
import { caseDigester, createDigestList, type DigestList } from './digests.ts';
import { type EffectiveSettings, effectiveSettings } from './effective-settings.ts';
import type { Handlers } from '../project/load-worlds.ts';
import { directoryOfRuns } from '../project/output-directory.ts';
import { suitesOfFailed } from './suites-of-failed.ts';
import { isNoConsequenceOf } from '../project/consequences.ts';
import { readProject, type CodeSuites, type Project } from '../project/load-project.ts';
import { modelSecretNames, openModels, type ModelsRequest } from '../run/models.ts';
import { type PlanManifest, planManifest } from './plan-manifest.ts';
import { caseIn, countByTarget } from './planned-cases.ts';
import { missingPrograms } from './missing-programs.ts';
import { castRoles } from './cast-roles.ts';
import { notedCases } from './noted-cases.ts';
import { refuseEmpty } from './refuse-empty.ts';
import type { RunOptions, Surroundings } from '../run-options.ts';
import type { UsedTarget } from '../run/target-pool.ts';
import { lastingReference, replaysOf } from './stored-runs.ts';
import { type OwnSettings, trialSettings } from './trial-settings.ts';
import { whatToPlan } from './what-to-plan.ts';
import { runsIn } from '../runs.ts';
import { wholeSuites } from './suite-digests.ts';
import { targetFacts } from './target-facts.ts';
import { crowdedDirectories } from './crowded-directories.ts';
import { type TargetUse, useTargets } from './use-targets.ts';

/** Everything about a run that is known before the first trial starts. */
export interface PreparedRun {
  readonly plan: Plan;
  readonly digests: DigestList;
  readonly targets: ReadonlyMap<string, UsedTarget>;
  readonly judges: { readonly names: JudgeNames; readonly targets: ReadonlyMap<string, UsedTarget> };
  /** Who speaks to the targets; no choice where no case needs one. */
  readonly users: { readonly choice: UserChoice | undefined; readonly firstSpeaker: 'user' | 'agent' };
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  readonly code: CodeSuites;
  readonly handlers: Handlers;
  /** What is measured of stored cases, by digest. */
  readonly contents: Project['contents'];
  readonly settings: EffectiveSettings;
  readonly projectRoot: string;
  readonly configDirectory: string;
  readonly outputDirectory: string;
  readonly runs: RunStore;
  /** Reporters that the config names. */
  readonly reporters: readonly string[];
  /** What a process of ours is started with, before its own `env`. */
  readonly processEnvironment: Readonly<Record<string, string>>;
  /** Variables whose values are secret, beside those whose names say so. */
  readonly secretNames: readonly string[];
  /** Secrets that stand in the config itself. */
  readonly secretLiterals: readonly NamedSecret[];
  readonly environment: Readonly<Record<string, string>>;
  readonly redactPatterns: readonly string[];
  /** Whether nothing of whoever runs it reaches any of its agents. */
  readonly hermetic: boolean;
  /** About targets and judges; the run goes on. */
  readonly warnings: readonly Problem[];
  /** What references of stored runs stand for. */
  readonly replays: Readonly<Record<string, string>>;
  readonly manifest: PlanManifest;
  /** `ledger` bounds what live calls cost. */
  openModels(redactor: Redactor, more?: Pick<ModelsRequest, 'ledger' | 'warn'>): ModelDoor;
  caseOf(trial: PlannedTrial): TestCase;
  settingsFor(testCase: OwnSettings, target: string): TrialSettings;
  /** What the planned cases set themselves, each once; at most a few. */
  readonly ownSettings: readonly OwnSettings[];
  roomOf(target: string): number;
  trialsByTarget(): Readonly<Record<string, number>>;
  /** Programs that its targets and judges name and this machine does not have. */
  missingPrograms(): readonly Problem[];
}

/** What of an earlier process of the same run must stay as it was. */
export interface PrepareAgain {
  readonly digests: readonly string[];
  readonly seed: number;
}

/** Which trials of an earlier run `--failed` takes. */
export type OnlyTrials = (id: Omit<TrialId, 'repetition'>) => boolean;

export interface PrepareRequest {
  readonly options: RunOptions;
  readonly surroundings: Surroundings;
  readonly out?: string | undefined;
  readonly again?: PrepareAgain;
  /** Nothing is to be run: keys that would be needed are warned of. */
  readonly isDry?: true;
  /** Finds what `--failed RUN` means, once it is known where runs are. */
  readonly failedIn?: (run: string, runs: RunStore) => Promise<OnlyTrials>;
}

/** Loads config and suites, checks everything at once, and makes the plan. Nothing runs. */
export async function prepareRun(request: PrepareRequest): Promise<PreparedRun> {
  const { options, surroundings } = request;
  refuseUnseededShard(options);
  const suites = await suitesOfFailed(request);
  const { project, problems, left } = await readProject({ ...request, suites });
  if (project === undefined || problems.length > 0) {
    throw new AuthoringError([
      ...problems,
      ...(await laterProblems(request, project)).filter(isNoConsequenceOf(left)),
    ]);
  }
  const outputDirectory = await directoryOfRuns(
    project,
    { config: options.config, out: request.out },
    surroundings,
  );
  const runs = runsIn(outputDirectory, surroundings.cwd);
  const planning = { project, outputDirectory, runs };
  if (options.failed === undefined) return await assemble(request, { ...planning, only: undefined });
  const failed = await lastingReference(options.failed, runs);
  const only = await request.failedIn?.(failed, runs);
  const prepared = await assemble({ ...request, options: { ...options, failed } }, { ...planning, only });
  // A run that goes on keeps what it was chosen from, whether that is still there or not.
  if (request.again !== undefined) return prepared;
  const source = await (await runs.find(failed)).run.head();
  return { ...prepared, manifest: { ...prepared.manifest, chosenFrom: choiceOf(source) } };
}

/** What else would be told once the problems that are known are mended, as far as that can be seen now. */
async function laterProblems(
  request: PrepareRequest,
  project: Project | undefined,
): Promise<readonly Problem[]> {
  if (project === undefined) return [];
  const { outputDir: outputDirectory } = project.run;
  const runs = runsIn(outputDirectory, request.surroundings.cwd);
  try {
    await assemble(request, { project, outputDirectory, runs, only: undefined });
    return [];
  } catch (error) {
    return error instanceof AuthoringError ? error.problems : [];
  }
}

/** Every shard must draw the same sample. */
function refuseUnseededShard({ sample, shard, seed }: RunOptions): void {
  if (sample === undefined || shard === undefined || seed !== undefined) return;
  throw new AssayError('usage', '--sample with --shard needs --seed', {
    stage: 'plan',
    hint: 'give every shard the same --seed, so that their samples are one',
  });
}

interface Planning {
  readonly project: Project;
  readonly outputDirectory: string;
  readonly runs: RunStore;
  readonly only: OnlyTrials | undefined;
}

async function assemble(
  { options, again, isDry, surroundings: { cwd } }: PrepareRequest,
  { project, outputDirectory, runs, only }: Planning,
): Promise<PreparedRun> {
  const { loaded, projectRoot, graders, code, handlers } = project;
  const settings = effectiveSettings(project.run, options, again?.seed);
  const digests = createDigestList(again?.digests);
  const { plan, wholes, noted, unnamed, targetsOf } = planOf(project, {
    options,
    settings,
    digests,
    only,
    outputDirectory,
  });
  const use = useTargets(plan.targets, loaded, options.targets.length > 0 ? '--target' : undefined);
  const settingsFor = trialSettings({ options, settings, targets: use.targets });
  const casting = { plan, project, options, noted, targetsOf, use, unnamed, settingsFor, isDry };
  const { user, userSecrets, names, judges, warnings } = castRoles(casting);
  const facts = targetFacts(use.targets, settings, loaded.directory);
  const replays = options.replays ?? (await replaysOf(use.targets, runs));
  const asked = Object.keys(replays).length === 0 ? options : { ...options, replays };
  return {
    plan,
    digests,
    targets: use.targets,
    judges: { names, targets: judges.targets },
    users: { choice: user, firstSpeaker: options.firstSpeaker ?? 'user' },
    graders,
    code,
    handlers,
    contents: project.contents,
    settings,
    projectRoot,
    configDirectory: loaded.directory,
    outputDirectory,
    runs,
    reporters: settings.reporters,
    processEnvironment: use.processEnvironment,
    ...secretsOf(loaded, settings, { uses: [use, judges], names: userSecrets }),
    hermetic: use.isHermetic,
    warnings: [
      ...bareSettings(loaded),
      ...use.warnings,
      ...warnings,
      ...crowdedDirectories(plan, settings, facts),
    ],
    replays,
    manifest: planManifest({ options: asked, project, settings, plan, wholes, digests, use }),
    openModels: (redactor, more) =>
      openModels({ loaded, cassette: options.cassette, cwd, seed: settings.seed, redactor, ...more }),
    caseOf: (trial) => caseIn(plan, trial),
    ownSettings: noted.ownSettings,
    settingsFor,
    roomOf: facts.roomOf,
    trialsByTarget: () => countByTarget(plan),
    missingPrograms: () => missingPrograms(new Map([...use.targets, ...judges.targets]), loaded),
  };
}

/** Texts outside of targets that look like references to the environment and lack a brace. */
function bareSettings({ config, origin }: LoadedConfig): readonly Problem[] {
  const { judge, user, models, run } = config;
  return bareReferences({ judge, user, models, run }, []).map((found) => problemAt(origin, found));
}

interface PlanSource extends Omit<Planning, 'project' | 'runs'> {
  readonly options: RunOptions;
  readonly settings: EffectiveSettings;
  readonly digests: DigestList;
}

function planOf(project: Project, source: PlanSource) {
  const { options, settings, digests, only, outputDirectory } = source;
  const identityOf = judgeIdentity(project.loaded, options.judge);
  const digestsOf = caseDigester({ ...project, digests, identityOf });
  const noted = notedCases(outputDirectory);
  const { problems: unnamed, ...planning } = whatToPlan(project, { options, settings });
  const plan = makePlan({
    ...planning,
    digestsOf: (testCase) => {
      noted.add(testCase);
      return digestsOf(testCase);
    },
    ...(only === undefined ? {} : { only }),
  });
  if (unnamed.length === 0) refuseEmpty(plan, options);
  const apart = createDigestList();
  const wholes = wholeSuites(
    {
      ...planning,
      digestsOf: caseDigester({ ...project, digests: apart, identityOf }),
      ...(only === undefined ? {} : { only }),
    },
    apart,
  );
  return { plan, wholes, noted, unnamed, targetsOf: planning.targetsOf };
}

/** What is secret in a run: variables by name, literals of the config, patterns. */
function secretsOf(
  loaded: LoadedConfig,
  settings: EffectiveSettings,
  { uses, names }: { readonly uses: readonly TargetUse[]; readonly names: readonly string[] },
) {
  return {
    environment: loaded.environment,
    secretNames: [
      ...uses.flatMap(({ secretNames }) => secretNames),
      ...names,
      ...modelSecretNames(loaded),
      ...(settings.redact?.names ?? []),
    ],
    secretLiterals: [
      ...uses.flatMap(({ secretLiterals }) => secretLiterals),
      ...literalSecrets(loaded.config.models),
    ],
    redactPatterns: settings.redact?.patterns ?? [],
  };
}
