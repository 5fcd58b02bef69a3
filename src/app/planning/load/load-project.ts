import { dirname } from 'node:path';

import type { LoadedConfig } from '../../../authoring/config/load-config.ts';
import { runSettings, type RunSettings } from '../../../authoring/config/run-settings.ts';
import { discoverSuites } from '../../../authoring/discover.ts';
import { loadYamlSuites, type LoadedSuites, type YamlContext } from '../../../authoring/yaml/load.ts';
import type { AskedCases } from '../../../authoring/stored/selector.ts';
import { AuthoringError, formatProblem, type Problem } from '../../../core/problem.ts';
import type { Suite } from '../../../core/test-case.ts';
import { given } from '../../../lib/given.ts';
import { isNoConsequenceOf } from './consequences.ts';
import { askedTargets } from './asked-targets.ts';
import { anyJudge } from '../../running/choose-judge.ts';
import { foreignConfigs } from './foreign-configs.ts';
import type { CodeLoading, LoadedCode } from './load-code.ts';
import { loadWorlds } from './load-worlds.ts';
import type { Project } from '../../running/machine.ts';
import { openConfig } from '../../project/open-config.ts';
import { projectRootOf, shownPath } from '../../project/project-root.ts';
import type { StoredContents } from './load-stored-suite.ts';
import { graderShelf } from '../../registry.ts';
import { schemaFault, toolSchemaProblems } from './tool-schemas.ts';
import { runnerInfo } from './runner-info.ts';
import type { RunOptions } from '../../../core/run-options.ts';
import type { Surroundings } from '../../surroundings.ts';

export interface LoadRequest {
  readonly options: Pick<RunOptions, 'patterns' | 'config' | 'judge' | 'stored'> &
    Partial<Pick<RunOptions, 'targets'>> & { readonly select?: AskedCases };
  /** Ids of the suites to load; others are skipped. Absent: all. */
  readonly suites?: ReadonlySet<string> | undefined;
  readonly surroundings: Surroundings;
}

/** Loads config and suites. Throws all problems of all files at once, as an AuthoringError. */
export async function loadProject(request: LoadRequest): Promise<Project> {
  const { project, problems } = await readProject(request);
  if (project === undefined || problems.length > 0) throw new AuthoringError(problems);
  return project;
}

/** The loaded files and their problems. */
export interface ReadProject {
  /** The valid part, used to find further problems. Absent if too much is invalid. */
  readonly project?: Project;
  readonly problems: readonly Problem[];
  /** Invalid settings of the config that were dropped: `judge`, `run.limits`. */
  readonly left: ReadonlySet<string>;
}

export async function readProject({ options, surroundings, suites }: LoadRequest): Promise<ReadProject> {
  const { cwd } = surroundings;
  const found = await findAmong(suites, options, cwd);
  const start = found.files[0] === undefined ? cwd : dirname(found.files[0]);
  const config = await openConfig({ file: options.config, start, surroundings });
  const loaded = config.loaded ?? config.salvaged?.loaded;
  const left = new Set(config.salvaged?.omitted);
  const run = loaded && runSettings(loaded);
  const projectRoot = projectRootOf(start, loaded?.file);
  const asked = askedTargets();
  const read = await loadSuites(found.files, {
    projectRoot,
    cwd,
    loaded,
    run: run?.settings,
    onTargets: asked.add,
    targetNames: config.salvaged?.targetNames ?? [...(loaded?.written.keys() ?? [])],
    targetsAreReplaced: (options.targets ?? []).length > 0,
    // An unreadable config may name one.
    hasJudge: loaded === undefined || left.has('judge') || anyJudge(loaded, options.judge),
    left,
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
    ...(await hinted([...found.problems, ...read.problems], options, cwd)),
    ...worlds.problems,
  ];
  if (loaded === undefined || run === undefined) return { problems, left };
  const { sound, ...rest } = read;
  const project = { loaded, run: run.settings, ...rest, handlers: worlds.handlers, projectRoot };
  if (problems.length === 0) return { project, problems, left };
  if (worlds.problems.length > 0) left.add('worlds');
  const more = asked.problems(loaded, options.targets).filter(isNoConsequenceOf(left));
  return { project: { ...project, suites: sound }, problems: [...problems, ...more], left };
}

async function hinted(problems: readonly Problem[], { stored }: LoadRequest['options'], cwd: string) {
  if (problems.length === 0 || stored === true) return problems;
  return await (await import('./hint-at-stored.ts')).hintAtStored(problems, cwd);
}

/** Files whose path ends with a suite id. Without any match: all files, so that their problems are reported. */
async function findAmong(suites: LoadRequest['suites'], options: LoadRequest['options'], cwd: string) {
  const found = await findFiles(options, cwd);
  if (suites === undefined) return found;
  const files = found.files.filter((file) => [...suites].some((id) => file.endsWith(`/${id}`)));
  return files.length === 0 ? found : { ...found, files };
}

async function findFiles({ stored, patterns }: LoadRequest['options'], cwd: string) {
  if (stored !== true) return await discoverSuites(patterns, cwd);
  return await (await import('../../../authoring/stored/find-files.ts')).findCaseFiles(patterns, cwd);
}

interface SuiteLoading {
  readonly projectRoot: string;
  readonly cwd: string;
  readonly loaded: LoadedConfig | undefined;
  readonly run: RunSettings | undefined;
  readonly hasJudge: boolean;
  readonly left: ReadProject['left'];
  /** The files contain stored test cases. */
  readonly isStored: boolean;
  /** Selection of stored cases. */
  readonly select: AskedCases;
  readonly targetNames: readonly string[];
  readonly targetsAreReplaced: boolean;
  readonly onTargets: ReturnType<typeof askedTargets>['add'];
}

/** Suites of all formats, in the order of their files, with all their problems. */
async function loadSuites(files: readonly string[], loading: SuiteLoading) {
  const { projectRoot, cwd, loaded, hasJudge } = loading;
  const shelf = graderShelf();
  const warnings = new Map<string, Problem>();
  const known: YamlContext = {
    projectRoot,
    display: (path: string) => shownPath(path, cwd),
    graders: shelf,
    ...(loaded === undefined ? {} : { targets: new Set(loading.targetNames) }),
    targetsAreReplaced: loading.targetsAreReplaced,
    onTargets: loading.onTargets,
    // A file that cannot be read in parts is read twice.
    onWarning: (warning) => warnings.set(formatProblem(warning), warning),
    hasJudge,
    schemaFault,
  };
  const ofCases = loading.isStored ? (await import('../../../graders/index.ts')).caseGraders : [];
  const yaml = await loadData(
    files.filter((file) => !isCode(file)),
    loading,
    known,
  );
  const runnerOf = (target: string) => runnerInfo(target, loaded?.written.get(target)?.keys);
  const code = await loadCode(files.filter(isCode), { ...loading, known, shelf, runnerOf });
  const more = [...code.graders, ...ofCases].map((each) => [each.type, each] as const);
  return {
    suites: inOrder([...yaml.suites, ...code.suites]),
    sound: inOrder([...(yaml.sound ?? yaml.suites), ...code.suites]),
    contents: yaml.contents ?? new Map(),
    code: { hooks: code.hooks, runnerOf },
    graders: new Map([...shelf.loaded(), ...more]),
    problems: [...yaml.problems, ...code.problems],
    warnings: [...warnings.values()],
  };
}

function inOrder(suites: readonly Suite[]): readonly Suite[] {
  return suites.toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

/** Code suites and their workspace in the config. The modules for that are only loaded if needed. */
async function loadCode(files: readonly string[], loading: CodeLoading): Promise<LoadedCode> {
  if (files.length === 0 && loading.run?.workspace === undefined) return NO_CODE;
  return (await import('./load-code.ts')).loadCode(files, loading);
}

const NO_CODE: LoadedCode = { suites: [], hooks: () => undefined, graders: [], problems: [] };

/** Evals in YAML and JSONL, or stored test cases, which have the same extensions. */
async function loadData(
  files: readonly string[],
  { isStored, loaded, run, select, left }: SuiteLoading,
  known: YamlContext,
): Promise<LoadedSuites & StoredContents> {
  if (!isStored) return await loadYamlSuites(files, known);
  const { expectations = [], areExpectationsRequested: isRequest, faults = [] } = run ?? {};
  const { loadStoredSuite } = await import('./load-stored-suite.ts');
  const isGradable = !['judge', 'metrics', 'run.expectations'].some((key) => left.has(key));
  const graded = isGradable ? loaded : undefined;
  const expected = { expectations, ...given({ isRequest }) };
  return await loadStoredSuite({ files, known, loaded: graded, ...expected, faults, select });
}

function isCode(file: string): boolean {
  return /\.[mc]?[jt]s$/i.test(file);
}
