import { realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { findConfigs } from '../../authoring/config/find-config.ts';
import { AssayError } from '../../core/errors.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { RunSpec } from '../../core/run-spec.ts';
import { wayWithin } from '../../lib/files/way-within.ts';
import { outputDirectory } from './output-directory.ts';
import { projectRootOf, shownPath } from './project-root.ts';
import type { Surroundings } from '../surroundings.ts';

/** How to decide whether code of a stored run may be executed. */
export interface Trust {
  /** `--trust`. */
  readonly isTrusted: boolean;
  /** Asks a person for confirmation. Absent without a terminal. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
}

export interface NamedRun {
  /** Absolute path of the run directory. */
  readonly directory: string;
  readonly manifest: Manifest;
  /** The run spec, if the run will be executed. */
  readonly spec?: RunSpec;
}

/** Throws unless the run and the code that it names belong to the current project, or the user trusts it. */
export async function refuseStranger(run: NamedRun, trust: Trust, surroundings: Surroundings): Promise<void> {
  if (trust.isTrusted) return;
  const { cwd } = surroundings;
  const [config] = await findConfigs(cwd, cwd);
  const root = projectRootOf(cwd, config);
  const foreign = namedBy(run).find((file) => !isBelow(root, file));
  if (foreign === undefined) return;
  const runs = await outputDirectory(undefined, surroundings);
  if (isBelow(runs, run.directory)) return;
  const shown = shownPath(run.directory, cwd);
  if (
    (await trust.confirm?.(`${shown} is not a run of this project. Execute code from ${foreign}?`)) === true
  ) {
    return;
  }
  throw new AssayError(
    'run-not-trusted',
    `${shown} is not a run of this project, and this command would execute ${foreign}`,
    {
      stage: 'plan',
      hint: 'review that file and its imports, then allow it with --trust',
    },
  );
}

/** All files that are loaded from paths in the run, the config first. */
function namedBy({ manifest, spec }: NamedRun): readonly string[] {
  const { config, suites, cwd, projectRoot, settings } = manifest;
  const asked = [settings.options, spec?.options].filter((options) => options !== undefined);
  return [
    ...(config === undefined ? [] : [config.file]),
    ...asked.flatMap((options) => (options.config === undefined ? [] : [resolve(cwd, options.config)])),
    ...suites.map(({ file }) => resolve(projectRoot, file)),
    ...(spec?.suites ?? []).map(({ file }) => resolve(projectRoot, file)),
    ...asked.flatMap(({ patterns = [] }) => patterns.map((pattern) => resolve(cwd, pattern))),
    cwd,
    projectRoot,
  ];
}

function isBelow(folder: string, path: string): boolean {
  return wayWithin(realPlace(folder), realPlace(path)) !== undefined;
}

/** The real path. For a missing file, that of the nearest existing folder. */
function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPlace(parent), relative(parent, path));
  }
}
