import { dirname } from 'node:path';

import type { LoadedConfig } from '../authoring/config/load-config.ts';
import { runSettings, type RunSettings } from '../authoring/config/run-settings.ts';
import { discoverSuites } from '../authoring/discover.ts';
import { loadCodeSuites, type CodeHooks } from '../authoring/code/load.ts';
import { suiteWorkspace } from '../authoring/code/suite-workspace.ts';
import { loadYamlSuites, type LoadedSuites, type YamlContext } from '../authoring/yaml/load.ts';
import type { CaseSelector } from '../authoring/stored/selector.ts';
import { findCaseFiles } from '../authoring/stored/find-files.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { AuthoringError, type Problem } from '../core/problem.ts';
import type { RunnerInfo } from '../core/session-report.ts';
import type { Suite, WorkspacePlan } from '../core/test-case.ts';
import { askedTargets } from './asked-targets.ts';
import { anyJudge } from './choose-judge.ts';
import { codeGrader } from './code-grader.ts';
import { foreignConfigs } from './foreign-configs.ts';
import { entryReader } from './grade-entry.ts';
import { loadWorlds, type Handlers } from './load-worlds.ts';
import { caseGraders } from '../graders/index.ts';
import { openConfig } from './open-config.ts';
import { projectRootOf, shownPath } from './project-root.ts';
import type { JsonObject } from '../lib/json.ts';
import { loadStoredSuite, type StoredContents } from './load-stored-suite.ts';
import { builtins } from './registry.ts';
import { schemaFault, toolSchemaProblems } from './tool-schemas.ts';
import { runnerInfo } from './runner-info.ts';
import type { RunOptions, Surroundings } from './run-options.ts';

/** What people wrote, without a problem. */
export interface Project {
  readonly loaded: LoadedConfig;
  readonly run: RunSettings;
  readonly suites: readonly Suite[];
  readonly code: CodeSuites;
  /** What is measured of stored cases, by digest. */
  readonly contents: ReadonlyMap<string, JsonObject>;
  /** Those that come with assay, and the one that runs the functions of code suites. */
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  /** Tools with a state, which mocks name. */
  readonly handlers: Handlers;
  /** Absolute; ids of suites are paths relative to it. */
  readonly projectRoot: string;
}

/** What code suites bring beside their cases. */
export interface CodeSuites {
  /** Their functions. */
  readonly hooks: CodeHooks;
  /** A target as they name it; what it is is as written, without the environment. */
  readonly runnerOf: (target: string) => RunnerInfo;
}

export interface LoadRequest {
  readonly options: Pick<RunOptions, 'patterns' | 'config' | 'judge' | 'stored'> &
    Partial<Pick<RunOptions, 'targets' | 'select'>>;
  readonly surroundings: Surroundings;
}

/** Loads config and suites; all problems of all files are thrown at once, as an AuthoringError. */
export async function loadProject({ options, surroundings }: LoadRequest): Promise<Project> {
  const { cwd } = surroundings;
  const { targets } = builtins();
  const found = await (options.stored === true ? findCaseFiles : discoverSuites)(options.patterns, cwd);
  const start = found.files[0] === undefined ? cwd : dirname(found.files[0]);
  const config = await openConfig({ file: options.config, start, surroundings, targets });
  const { loaded } = config;
  const run = loaded && runSettings(loaded);
  const projectRoot = projectRootOf(start, loaded?.file);
  const asked = askedTargets();
  const read = await loadSuites(found.files, {
    projectRoot,
    cwd,
    loaded,
    run: run?.settings,
    onTargets: asked.add,
    // Of a config that cannot be read nobody knows whether it names one.
    hasJudge: loaded === undefined || anyJudge(loaded, options.judge),
    isStored: options.stored === true,
    select: options.select ?? {},
  });
  const worlds = await loadWorlds(loaded, cwd);
  const foreign = options.config === undefined ? await foreignConfigs(found.files, cwd) : [];
  const problems = [
    ...config.problems,
    ...foreign,
    ...(run?.problems ?? []),
    ...(loaded === undefined ? [] : await toolSchemaProblems(loaded)),
    ...found.problems,
    ...read.problems,
    ...worlds.problems,
  ];
  if (loaded === undefined || run === undefined) throw new AuthoringError(problems);
  if (problems.length > 0)
    throw new AuthoringError([...problems, ...asked.problems(loaded, options.targets)]);
  return { loaded, run: run.settings, ...read, handlers: worlds.handlers, projectRoot };
}

interface SuiteLoading {
  readonly projectRoot: string;
  readonly cwd: string;
  readonly loaded: LoadedConfig | undefined;
  readonly run: RunSettings | undefined;
  readonly hasJudge: boolean;
  /** The files hold stored test cases. */
  readonly isStored: boolean;
  /** Which of them are meant. */
  readonly select: CaseSelector;
  readonly onTargets: ReturnType<typeof askedTargets>['add'];
}

/** Suites of all formats, in the order of their files, and everything wrong with any of them. */
async function loadSuites(files: readonly string[], loading: SuiteLoading) {
  const { projectRoot, cwd, loaded, run, hasJudge } = loading;
  const { graders } = builtins();
  const context = { projectRoot, display: (path: string) => shownPath(path, cwd), schemaFault };
  const targets = loaded && new Set(loaded.written.keys());
  const yaml = await loadData(
    files.filter((file) => !isCode(file)),
    loading,
    {
      ...context,
      graders,
      ...(targets === undefined ? {} : { targets }),
      onTargets: loading.onTargets,
      hasJudge,
    },
  );
  const { plan, problems } = configWorkspace(loading);
  const code = await loadCodeSuites(files.filter(isCode), {
    ...context,
    directory: run?.cwd ?? cwd,
    ...(run === undefined ? {} : { outputDirectory: run.outputDir }),
    ...(plan === undefined ? {} : { workspace: plan }),
  });
  const runnerOf = (target: string) => runnerInfo(target, loaded?.written.get(target)?.keys);
  const grader = codeGrader({
    hooks: code.hooks,
    assertTimeoutMs: run?.assertTimeoutMs ?? 60_000,
    hasJudge,
    runnerOf,
    expectationOf: entryReader({ graders, targets, hasJudge, projectRoot }),
  });
  return {
    suites: [...yaml.suites, ...code.suites].toSorted((a, b) => (a.file < b.file ? -1 : 1)),
    contents: yaml.contents ?? new Map(),
    code: { hooks: code.hooks, runnerOf },
    graders: new Map([...graders, ...[grader, ...caseGraders].map((each) => [each.type, each] as const)]),
    problems: [...yaml.problems, ...code.problems, ...problems],
  };
}

/** Evals in YAML and JSONL, or stored test cases, whose files look the same. */
function loadData(
  files: readonly string[],
  loading: SuiteLoading,
  known: YamlContext,
): Promise<LoadedSuites & StoredContents> {
  const { isStored, loaded, run, select } = loading;
  if (!isStored) return loadYamlSuites(files, known);
  const { expectations = [], faults = [] } = run ?? {};
  return loadStoredSuite({ files, known, loaded, expectations, faults, select });
}

function isCode(file: string): boolean {
  return /\.[mc]?[jt]s$/i.test(file);
}

/** `run.workspace`, which holds for code suites that export none. */
function configWorkspace({ loaded, run, cwd }: SuiteLoading): {
  readonly plan?: WorkspacePlan;
  readonly problems: readonly Problem[];
} {
  if (loaded === undefined || run?.workspace === undefined) return { problems: [] };
  const { plan, faults } = suiteWorkspace(run.workspace, {
    directory: loaded.directory,
    key: '',
    fallback: run.cwd ?? cwd,
    outputDirectory: run.outputDir,
  });
  const file = shownPath(loaded.file ?? loaded.directory, cwd);
  return { plan, problems: faults.map((fault) => ({ file, ...fault })) };
}
