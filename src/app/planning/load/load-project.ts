import { dirname } from 'node:path';

import type { LoadedConfig } from '../../../authoring/config/load-config.ts';
import { runSettings, type RunSettings } from '../../../authoring/config/run-settings.ts';
import { type SuiteVariants, suiteVariants } from '../../../authoring/config/suite-variants.ts';
import { discoverSuites } from '../../../authoring/discover.ts';
import { loadYamlSuites, type LoadedSuites, type YamlContext } from '../../../authoring/yaml/load.ts';
import type { AskedCases } from '../../../authoring/stored/selector.ts';
import { AuthoringError, formatProblem, type Problem } from '../../../core/problem.ts';
import type { RunSpec } from '../../../core/run-spec.ts';
import type { Suite } from '../../../core/test-case.ts';
import { given } from '../../../lib/given.ts';
import { isNoConsequenceOf } from './consequences.ts';
import { askedTargets } from './asked-targets.ts';
import { anyJudge } from '../../binding/choose-judge.ts';
import { underRequest } from '../lay-request.ts';
import { foreignConfigs } from './foreign-configs.ts';
import type { CodeLoading, LoadedCode } from './load-code.ts';
import { loadWorlds } from './load-worlds.ts';
import type { Project } from '../../binding/machine.ts';
import { openConfig } from '../../project/open-config.ts';
import { projectRootOf, shownPath } from '../../project/project-root.ts';
import type { StoredContents } from './load-stored-suite.ts';
import { graderShelf } from '../../registry.ts';
import { schemaFault, toolSchemaProblems } from './tool-schemas.ts';
import { runnerInfo } from './runner-info.ts';
import { takesStore, type RunOptions } from '../../../core/run-options.ts';
import { noStore } from '../../runs.ts';
import type { CaseSource } from './case-source.ts';
import type { AskedAgents, LoadedAgents } from './load-agents.ts';
import type { Surroundings } from '../../surroundings.ts';

export interface LoadRequest {
  readonly options: Pick<RunOptions, 'patterns' | 'config' | 'judge' | 'stored'> &
    Partial<Pick<RunOptions, 'targets' | 'request'>> & { readonly select?: AskedCases };
  /** Ids of the suites to load; others are skipped. Absent: all. */
  readonly suites?: ReadonlySet<string> | undefined;
  /** Stored cases that are known already, such as those that a run has frozen. */
  readonly cases?: CaseSource | undefined;
  /** Agents of a run into the store that are chosen already. */
  readonly agents?: AskedAgents['agents'];
  /** Metrics of the config and of the store that are known already. */
  readonly metrics?: RunSpec['metrics'];
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
  readonly omitted: ReadonlySet<string>;
  /** Names of the asked targets: an agent of the store has its name in the run. */
  readonly targets: readonly string[];
}

export async function readProject(request: LoadRequest): Promise<ReadProject> {
  const { options, surroundings, suites } = request;
  const { cwd } = surroundings;
  const found = await findAmong(suites, options, cwd);
  const start = found.files[0] === undefined ? cwd : dirname(found.files[0]);
  const config = await openConfig({ file: options.config, start, surroundings });
  const agents = await withAgentsOf(request, config.loaded ?? config.salvaged?.loaded);
  const { targets } = agents;
  const written = await withMetricsOf(request, agents.loaded);
  const omitted = new Set(config.salvaged?.omitted);
  const { loaded, run } = settledBy(written, options.request);
  const projectRoot = projectRootOf(start, loaded?.file);
  const asked = askedTargets();
  const variants = loaded === undefined ? undefined : suiteVariants(loaded);
  const read = await loadSuites(found.files, {
    projectRoot,
    cwd,
    loaded,
    run: run?.settings,
    onTargets: asked.add,
    variants,
    targetNames: config.salvaged?.targetNames ?? [...(loaded?.written.keys() ?? [])],
    targetsAreReplaced: targets.length > 0,
    // An unreadable config may name one.
    hasJudge: loaded === undefined || omitted.has('judge') || anyJudge(loaded, options.judge),
    omitted,
    source: options.stored === true ? await caseSource(request, found.files, projectRoot) : undefined,
    select: options.select ?? {},
  });
  const whole = loaded && (await variants?.within(loaded));
  const worlds = await loadWorlds(loaded, cwd);
  const foreign = options.config === undefined ? await foreignConfigs(found.files, cwd) : [];
  const problems = [
    ...config.problems,
    ...agents.problems,
    ...foreign,
    ...(run?.problems ?? []),
    ...(whole === undefined ? [] : await toolSchemaProblems(whole)),
    ...(await hinted([...found.problems, ...read.problems], options, cwd)),
    ...worlds.problems,
  ];
  if (whole === undefined || run === undefined) return { problems, omitted, targets };
  const { sound, ...rest } = read;
  const project = {
    loaded: whole,
    run: run.settings,
    ...rest,
    worldsByTool: worlds.worldsByTool,
    projectRoot,
  };
  if (problems.length === 0) return { project, problems, omitted, targets };
  if (worlds.problems.length > 0) omitted.add('worlds');
  const more = asked.problems(whole, targets).filter(isNoConsequenceOf(omitted));
  return { project: { ...project, suites: sound }, problems: [...problems, ...more], omitted, targets };
}

/** The config with the agents of the store that a request asks for. */
async function withAgentsOf(
  { options, surroundings, agents }: LoadRequest,
  written: LoadedConfig | undefined,
): Promise<Omit<LoadedAgents, 'loaded'> & { readonly loaded: LoadedConfig | undefined }> {
  const { targets: names = [] } = options;
  if (written === undefined || !takesStore(options)) return { loaded: written, targets: names, problems: [] };
  const { loadAgents } = await import('./load-agents.ts');
  return await loadAgents(written, { names, agents }, surroundings);
}

/** The config of a run of the store with the metrics of the store, or with those that the run has frozen. */
async function withMetricsOf(
  { options, surroundings, cases, metrics }: LoadRequest,
  written: LoadedConfig | undefined,
): Promise<LoadedConfig | undefined> {
  if (written === undefined || !takesStore(options)) return written;
  if (cases !== undefined) {
    const config = { ...written.config, ...given({ metrics }) } as LoadedConfig['config'];
    return { ...written, config };
  }
  const store = await surroundings.store?.find();
  if (store === undefined) return written;
  const { withStoredMetrics } = await import('../with-metrics.ts');
  return await withStoredMetrics(written, store.metrics);
}

/** Config and settings under those of a request. */
function settledBy(written: LoadedConfig | undefined, request: RunOptions['request']) {
  if (written === undefined) return { loaded: undefined, run: undefined };
  const own = runSettings(written);
  const { loaded, run } = underRequest({ loaded: written, run: own.settings }, request);
  return { loaded, run: { ...own, settings: run } };
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

async function findFiles(options: LoadRequest['options'], cwd: string) {
  const { stored, patterns } = options;
  if (stored !== true) return await discoverSuites(patterns, cwd);
  if (takesStore(options)) return { files: [], problems: [] };
  return await (await import('../../../authoring/stored/find-files.ts')).findCaseFiles(patterns, cwd);
}

/** The stored cases of a request: as given, of the store, or of files. */
async function caseSource(
  { options, surroundings, cases }: LoadRequest,
  files: readonly string[],
  projectRoot: string,
): Promise<CaseSource> {
  if (cases !== undefined) return cases;
  if (!takesStore(options)) {
    const { casesOfFiles } = await import('./case-source.ts');
    return casesOfFiles(files, { projectRoot, cwd: surroundings.cwd });
  }
  const store = await surroundings.store?.find();
  if (store === undefined) throw noStore();
  const { casesOfStore } = await import('./cases-of-store.ts');
  return casesOfStore(store, projectRoot);
}

interface SuiteLoading {
  readonly projectRoot: string;
  readonly cwd: string;
  readonly loaded: LoadedConfig | undefined;
  readonly run: RunSettings | undefined;
  readonly hasJudge: boolean;
  readonly omitted: ReadProject['omitted'];
  /** Stored test cases. Undefined: the files contain none. */
  readonly source: CaseSource | undefined;
  /** Selection of stored cases. */
  readonly select: AskedCases;
  readonly targetNames: readonly string[];
  readonly targetsAreReplaced: boolean;
  readonly onTargets: ReturnType<typeof askedTargets>['add'];
  readonly variants: SuiteVariants | undefined;
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
    ...(loading.variants === undefined ? {} : { variants: loading.variants.add }),
    // A file that cannot be read in parts is read twice.
    onWarning: (warning) => warnings.set(formatProblem(warning), warning),
    hasJudge,
    schemaFault,
  };
  const ofCases = loading.source !== undefined ? (await import('../../../graders/index.ts')).caseGraders : [];
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
  { source, loaded, run, select, omitted }: SuiteLoading,
  known: YamlContext,
): Promise<LoadedSuites & StoredContents> {
  if (source === undefined) return await loadYamlSuites(files, known);
  const { expectations = [], areExpectationsRequested: isRequest, faults = [] } = run ?? {};
  const { loadStoredSuite } = await import('./load-stored-suite.ts');
  const isGradable = !['judge', 'metrics', 'run.expectations'].some((key) => omitted.has(key));
  const graded = isGradable ? loaded : undefined;
  const expected = { expectations, ...given({ isRequest }) };
  return await loadStoredSuite({ source, known, loaded: graded, ...expected, faults, select });
}

function isCode(file: string): boolean {
  return /\.[mc]?[jt]s$/i.test(file);
}
