import { dirname } from 'node:path';

import type { LoadedConfig } from '../authoring/config/load-config.ts';
import { runSettings, type RunSettings } from '../authoring/config/run-settings.ts';
import { discoverSuites } from '../authoring/discover.ts';
import { loadYamlSuites } from '../authoring/yaml/load.ts';
import { AuthoringError } from '../core/problem.ts';
import type { Suite } from '../core/test-case.ts';
import { askedTargets } from './asked-targets.ts';
import { anyJudge } from './choose-judge.ts';
import { foreignConfigs } from './foreign-configs.ts';
import { openConfig } from './open-config.ts';
import { projectRootOf, shownPath } from './project-root.ts';
import { builtins } from './registry.ts';
import type { RunOptions, Surroundings } from './run-options.ts';

/** What people wrote, without a problem. */
export interface Project {
  readonly loaded: LoadedConfig;
  readonly run: RunSettings;
  readonly suites: readonly Suite[];
  /** Absolute; ids of suites are paths relative to it. */
  readonly projectRoot: string;
}

export interface LoadRequest {
  readonly options: Pick<RunOptions, 'patterns' | 'config' | 'judge'> & Partial<Pick<RunOptions, 'targets'>>;
  readonly surroundings: Surroundings;
}

/** Loads config and suites; all problems of all files are thrown at once, as an AuthoringError. */
export async function loadProject({ options, surroundings }: LoadRequest): Promise<Project> {
  const { cwd } = surroundings;
  const { graders, targets } = builtins();
  const found = await discoverSuites(options.patterns, cwd);
  const start = found.files[0] === undefined ? cwd : dirname(found.files[0]);
  const config = await openConfig({ file: options.config, start, surroundings, targets });
  const { loaded } = config;
  const run = loaded && runSettings(loaded);
  const projectRoot = projectRootOf(start, loaded?.file);
  const asked = askedTargets();
  const read = await loadYamlSuites(found.files, {
    projectRoot,
    display: (path) => shownPath(path, cwd),
    graders,
    ...(loaded === undefined ? {} : { targets: new Set(loaded.written.keys()) }),
    onTargets: asked.add,
    hasJudge: loaded !== undefined && anyJudge(loaded, options.judge),
  });
  const foreign = options.config === undefined ? await foreignConfigs(found.files, cwd) : [];
  const problems = [
    ...config.problems,
    ...foreign,
    ...(run?.problems ?? []),
    ...found.problems,
    ...read.problems,
  ];
  if (loaded === undefined || run === undefined) throw new AuthoringError(problems);
  if (problems.length > 0)
    throw new AuthoringError([...problems, ...asked.problems(loaded, options.targets)]);
  return { loaded, run: run.settings, suites: read.suites, projectRoot };
}
