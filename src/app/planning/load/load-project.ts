import { dirname } from 'node:path';

import { suiteVariants } from '../../../authoring/config/suite-variants.ts';
import { AuthoringError, type Problem } from '../../../core/problem.ts';
import { isNoConsequenceOf } from './consequences.ts';
import { askedTargets } from './asked-targets.ts';
import { anyJudge } from '../../binding/choose-judge.ts';
import { loadWorlds } from './load-worlds.ts';
import type { Project } from '../../binding/machine.ts';
import { openConfig } from '../../project/open-config.ts';
import { projectRootOf, shownPath } from '../../project/project-root.ts';
import { toolSchemaProblems } from './tool-schemas.ts';
import { caseSource, findSuites, hinted } from './find-suites.ts';
import type { LoadRequest } from './load-request.ts';
import { loadSuites } from './load-suites.ts';
import { findConfigs } from '../../../authoring/config/find-config.ts';
import type { LoadedConfig } from '../../../authoring/config/load-config.ts';
import { runSettings } from '../../../authoring/config/run-settings.ts';
import { given } from '../../../lib/given.ts';
import { underRequest } from '../lay-request.ts';
import { takesStore, type RunOptions } from '../../../core/run-options.ts';
import type { LoadedAgents } from './load-agents.ts';

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
  const found = await findSuites(suites, options, cwd);
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

/** Problems with files whose nearest config differs from the first file's. A run has only one config. */
async function foreignConfigs(files: readonly string[], cwd: string): Promise<readonly Problem[]> {
  const [first, ...others] = files;
  if (first === undefined || others.length === 0) return [];
  const configs = new Map<string, string>();
  const configOf = async (file: string): Promise<string> => {
    const folder = dirname(file);
    const known = configs.get(folder) ?? (await findConfigs(folder, cwd))[0] ?? '';
    configs.set(folder, known);
    return known;
  };
  const own = await configOf(first);
  const problems: Problem[] = [];
  for (const file of others) {
    const config = await configOf(file);
    if (config !== own) problems.push(problemOf(file, config, { first, own, cwd }));
  }
  return problems;
}

interface FirstFile {
  readonly first: string;
  readonly own: string;
  readonly cwd: string;
}

function problemOf(file: string, config: string, { first, own, cwd }: FirstFile): Problem {
  const shown = (path: string) => (path === '' ? 'no config' : shownPath(path, cwd));
  return {
    file: shownPath(file, cwd),
    code: 'config-different',
    message: `uses ${shown(config)}, but ${shownPath(first, cwd)} uses ${shown(own)}; a run can only have one config`,
    hint: 'run them separately, or name one config for all with --config',
  };
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
