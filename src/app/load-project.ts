import { dirname } from 'node:path';

import type { LoadedConfig } from '../authoring/config/load-config.ts';
import { runSettings, type RunSettings } from '../authoring/config/run-settings.ts';
import { discoverSuites } from '../authoring/discover.ts';
import { loadYamlSuites } from '../authoring/yaml/load.ts';
import { findCaseFiles } from '../authoring/stored/find-files.ts';
import { AuthoringError } from '../core/problem.ts';
import type { Suite } from '../core/test-case.ts';
import { anyJudge } from './choose-judge.ts';
import { openConfig } from './open-config.ts';
import { projectRootOf, shownPath } from './project-root.ts';
import { loadStoredSuite } from './load-stored-suite.ts';
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
  readonly options: Pick<RunOptions, 'patterns' | 'config' | 'judge' | 'stored'>;
  readonly surroundings: Surroundings;
}

/** Loads config and suites; all problems of all files are thrown at once, as an AuthoringError. */
export async function loadProject({ options, surroundings }: LoadRequest): Promise<Project> {
  const { cwd } = surroundings;
  const { graders, targets } = builtins();
  const found = await (options.stored === true ? findCaseFiles : discoverSuites)(options.patterns, cwd);
  const start = found.files[0] === undefined ? cwd : dirname(found.files[0]);
  const config = await openConfig({ file: options.config, start, surroundings, targets });
  const { loaded } = config;
  const run = loaded && runSettings(loaded);
  const projectRoot = projectRootOf(start, loaded?.file);
  const known = {
    projectRoot,
    display: (path: string) => shownPath(path, cwd),
    graders,
    ...(loaded === undefined ? {} : { targets: new Set(loaded.written.keys()) }),
    hasJudge: loaded !== undefined && anyJudge(loaded, options.judge),
  };
  const read =
    options.stored === true
      ? await loadStoredSuite({ ...found, known, loaded, expectations: run?.settings.expectations ?? [] })
      : await loadYamlSuites(found.files, known);
  const problems = [...config.problems, ...(run?.problems ?? []), ...found.problems, ...read.problems];
  if (loaded === undefined || run === undefined || problems.length > 0) throw new AuthoringError(problems);
  return { loaded, run: run.settings, suites: read.suites, projectRoot };
}
