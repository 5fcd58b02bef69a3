import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';

import { defaultTargets } from '../authoring/config/default-targets.ts';
import type { LoadedConfig } from '../authoring/config/load-config.ts';
import type { RunSettings } from '../authoring/config/run-settings.ts';
import { AssayError } from '../core/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { mergeLimits } from '../core/limits.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { AuthoringError } from '../core/problem.ts';
import type { Manifest } from '../core/run.ts';
import type { TestCase } from '../core/test-case.ts';
import type { TrialId } from '../core/trial.ts';
import type { PlannedTrial, TrialSettings } from '../engine/parts.ts';
import { makePlan, type Plan } from '../engine/plan.ts';
import { digestOf } from '../lib/digest.ts';
import { caseDigester, createDigestList, type DigestList } from './digests.ts';
import { loadProject, type Project } from './load-project.ts';
import { builtins } from './registry.ts';
import type { RunOptions, Surroundings } from './run-options.ts';
import type { UsedTarget } from './target-pool.ts';
import { useTargets, type TargetUse } from './use-targets.ts';

/** Everything about a run that is known before the first trial starts. */
export interface PreparedRun {
  readonly plan: Plan;
  readonly digests: DigestList;
  readonly targets: ReadonlyMap<string, UsedTarget>;
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  readonly settings: RunSettings & { readonly seed: number; readonly failFast: boolean };
  readonly projectRoot: string;
  readonly configDirectory: string;
  readonly outputDirectory: string;
  /** Reporters that the config names. */
  readonly reporters: readonly string[];
  /** What a process of ours is started with, before its own `env`. */
  readonly processEnvironment: Readonly<Record<string, string>>;
  /** Variables whose values are secret, beside those whose names say so. */
  readonly secretNames: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly redactPatterns: readonly string[];
  /** What of the manifest the plan decides. */
  readonly manifest: Pick<
    Manifest,
    'config' | 'settings' | 'suites' | 'targets' | 'trials' | 'seed' | 'projectRoot'
  >;
  caseOf(trial: PlannedTrial): TestCase;
  settingsFor(testCase: TestCase, target: string): TrialSettings;
  roomOf(target: string): number;
  trialsByTarget(): Readonly<Record<string, number>>;
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
  /** Finds what `--failed RUN` means, once the output directory is known. */
  readonly failedIn?: (run: string, outputDirectory: string) => Promise<OnlyTrials>;
}

/** Loads config and suites, checks everything at once, and makes the plan. Nothing runs. */
export async function prepareRun(request: PrepareRequest): Promise<PreparedRun> {
  const { options, surroundings } = request;
  const project = await loadProject(request);
  const outputDirectory = resolve(surroundings.cwd, request.out ?? project.run.outputDir);
  const only =
    options.failed === undefined ? undefined : await request.failedIn?.(options.failed, outputDirectory);
  return planned({ request, ...project, outputDirectory, only });
}

interface Planning extends Project {
  readonly request: PrepareRequest;
  readonly outputDirectory: string;
  readonly only: OnlyTrials | undefined;
}

function planned(planning: Planning): PreparedRun {
  const { request, loaded, projectRoot, outputDirectory } = planning;
  const { options, again } = request;
  const { graders, targets: plugins } = builtins();
  const settings = withFlags(planning.run, options, again);
  const digests = createDigestList(again?.digests);
  const plan = planOf(planning, { settings, digests, graders });
  refuseEmpty(plan, options);
  const use = useTargets(plan.targets, { loaded, plugins });
  if (use.problems.length > 0) throw new AuthoringError(use.problems);
  return {
    plan,
    digests,
    targets: use.targets,
    graders,
    settings,
    projectRoot,
    configDirectory: loaded.directory,
    outputDirectory,
    reporters: settings.reporters,
    processEnvironment: use.processEnvironment,
    secretNames: [...use.secretNames, ...(settings.redact?.names ?? [])],
    environment: loaded.environment,
    redactPatterns: settings.redact?.patterns ?? [],
    manifest: manifestParts({ planning, plan, settings, digests, use }),
    caseOf: (trial) => {
      const suite = plan.suites[trial.place.suite];
      if (suite === undefined) throw new Error(`the plan has no suite ${trial.suite}`);
      return suite.cases.at(trial.place.index);
    },
    settingsFor: trialSettings(options, settings, use),
    roomOf: (name) => roomOf(use.targets.get(name), settings.concurrency),
    trialsByTarget: () => countByTarget(plan),
  };
}

type FullSettings = PreparedRun['settings'];

function withFlags(
  settings: RunSettings,
  options: RunOptions,
  again: PrepareAgain | undefined,
): FullSettings {
  return {
    ...settings,
    seed: again?.seed ?? options.seed ?? settings.seed ?? randomInt(2 ** 31),
    concurrency: options.concurrency ?? settings.concurrency,
    maxErrored: options.maxErrored ?? settings.maxErrored,
    failFast: options.failFast ?? false,
  };
}

interface PlanParts {
  readonly settings: FullSettings;
  readonly digests: DigestList;
  readonly graders: ReadonlyMap<string, GraderPlugin>;
}

function planOf({ request, loaded, suites, only }: Planning, parts: PlanParts): Plan {
  const { options } = request;
  const { settings } = parts;
  let fallback: readonly string[] | undefined;
  const { shard } = options;
  return makePlan({
    suites,
    seed: settings.seed,
    selection: {
      targets: options.targets,
      cases: options.cases,
      tags: options.tags ?? settings.tags,
      excludeTags: options.excludeTags ?? settings.excludeTags,
      ...(options.limit === undefined ? {} : { limit: options.limit }),
      ...(options.sample === undefined ? {} : { sample: options.sample }),
      ...(shard === undefined ? {} : { shard }),
    },
    targetsOf: (testCase) => {
      if (options.targets.length > 0) return options.targets;
      return testCase.targets ?? (fallback ??= defaultsOf(loaded));
    },
    repeatOf: (testCase) => options.repeat ?? testCase.repeat ?? settings.repeat,
    digestsOf: caseDigester(parts.digests, parts.graders),
    ...(only === undefined ? {} : { only }),
  });
}

function defaultsOf(loaded: LoadedConfig): readonly string[] {
  const { names, problems } = defaultTargets(loaded, builtins().targets, 'data');
  if (problems.length > 0) throw new AuthoringError(problems);
  return names;
}

/** Limits and threshold by flag, test, target, config, default; computed once a target for plain cases. */
function trialSettings(
  options: RunOptions,
  settings: FullSettings,
  use: TargetUse,
): PreparedRun['settingsFor'] {
  const flags = {
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
  };
  const plain = new Map<string, TrialSettings>();
  const compute = (testCase: Pick<TestCase, 'limits' | 'threshold'>, target: string): TrialSettings => {
    const own = use.targets.get(target)?.settings;
    const { timeoutMs: turnTimeoutMs, idleTimeoutMs, price } = own ?? {};
    const ofTarget = {
      ...(turnTimeoutMs === undefined ? {} : { turnTimeoutMs }),
      ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
    };
    return {
      limits: mergeLimits(settings.limits, ofTarget, testCase.limits, flags),
      threshold: options.threshold ?? testCase.threshold ?? settings.threshold,
      retryInfrastructure: own?.retryInfrastructure ?? settings.retryInfrastructure,
      ...(price === undefined ? {} : { price }),
    };
  };
  return (testCase, target) => {
    if (testCase.limits !== undefined || testCase.threshold !== undefined) return compute(testCase, target);
    const known = plain.get(target) ?? compute({}, target);
    plain.set(target, known);
    return known;
  };
}

function roomOf(used: UsedTarget | undefined, concurrency: number): number {
  return Math.min(used?.settings.maxParallel ?? used?.plugin.maxParallel ?? concurrency, concurrency);
}

function countByTarget(plan: Plan): Readonly<Record<string, number>> {
  const counts: Record<string, number> = Object.fromEntries(plan.targets.map((target) => [target, 0]));
  for (const { targets, repeat } of plan.cases) {
    for (const target of targets) counts[target] = (counts[target] ?? 0) + repeat;
  }
  return counts;
}

interface ManifestInput {
  readonly planning: Planning;
  readonly plan: Plan;
  readonly settings: FullSettings;
  readonly digests: DigestList;
  readonly use: TargetUse;
}

function manifestParts({ planning, plan, settings, digests, use }: ManifestInput): PreparedRun['manifest'] {
  const { loaded, request, projectRoot } = planning;
  const limits = mergeLimits(settings.limits);
  const { concurrency, threshold, repeat, retryInfrastructure, maxErrored } = settings;
  return {
    projectRoot,
    ...(loaded.file === undefined ? {} : { config: { file: loaded.file, digest: loaded.digest } }),
    settings: {
      options: request.options as unknown as JsonObject,
      limits: limits as unknown as JsonObject,
      concurrency,
      threshold,
      repeat,
      retryInfrastructure,
      maxErrored,
    },
    suites: plan.suites.map((suite, position) => ({
      id: suite.id,
      name: suite.name,
      file: suite.file,
      cases: plan.cases.filter((planned) => planned.suite === position).length,
      digest: suiteDigest(plan, position, digests),
    })),
    targets: [...use.targets].map(([name, { settings: own }]) => {
      const config = use.written.get(name) ?? {};
      const digest = digests.numberOf(digestOf({ type: own.type, config }));
      return { name, type: own.type, config, digest };
    }),
    trials: plan.size,
    seed: settings.seed,
  };
}

function suiteDigest(plan: Plan, position: number, digests: DigestList): string {
  const cases = plan.cases.filter((planned) => planned.suite === position);
  return digestOf(
    cases.map(({ id, digests: own, targets, repeat }) => [id, digests.list[own.case], targets, repeat]),
  );
}

function refuseEmpty(plan: Plan, options: RunOptions): void {
  if (plan.size > 0) return;
  const filters = [
    ...options.cases.map((id) => `--case ${id}`),
    ...(options.tags ?? []).map((tag) => `--tag ${tag}`),
    ...(options.excludeTags ?? []).map((tag) => `--exclude-tag ${tag}`),
    ...(options.failed === undefined ? [] : [`--failed ${options.failed}`]),
    ...(options.shard === undefined ? [] : [`--shard ${options.shard.index}/${options.shard.of}`]),
  ];
  const tags = new Set<string>();
  for (const suite of plan.suites) {
    for (let index = 0; index < suite.cases.length && tags.size < 20; index++) {
      for (const tag of suite.cases.at(index).tags) tags.add(tag);
    }
  }
  throw new AssayError(
    'nothing-selected',
    `no case is left${filters.length > 0 ? ` by ${filters.join(' ')}` : ''}`,
    {
      stage: 'plan',
      hint: tags.size > 0 ? `tags there are: ${[...tags].join(', ')}` : 'name a file that holds tests',
    },
  );
}
