import { realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

import { findConfigs } from '../../authoring/config/find-config.ts';
import { AssayError } from '../../core/errors.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { RunSpec } from '../../core/run-spec.ts';
import type { StoredRun } from '../../core/run-store.ts';
import { wayWithin } from '../../lib/files/way-within.ts';
import { outputDirectory } from './output-directory.ts';
import { projectRootOf, shownPath } from './project-root.ts';
import { isSealed } from './run-seal.ts';
import type { Surroundings } from '../surroundings.ts';

/** How to decide whether code of a stored run may be executed. */
export interface Trust {
  /** `--trust`. */
  readonly isTrusted: boolean;
  /** Asks a person for confirmation. Absent without a terminal. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
}

export interface NamedRun {
  readonly stored: Pick<StoredRun, 'place' | 'isWithoutFiles'>;
  readonly manifest: Manifest;
  /** The run spec, if the run will be executed. */
  readonly spec?: RunSpec;
}

/** Throws unless the run and the code that it names belong to the current project, or the user trusts it. */
export async function refuseStranger(run: NamedRun, trust: Trust, surroundings: Surroundings): Promise<void> {
  const foreign = await foreignCode(run, surroundings);
  if (foreign === undefined) return;
  const shown = shownPath(run.stored.place, surroundings.cwd);
  if (await isAllowed(trust, `${shown} is not a run of this project. Execute code from ${foreign}?`)) return;
  throw new AssayError(
    'run-not-trusted',
    `${shown} is not a run of this project, and this command would execute ${foreign}`,
    { stage: 'plan', hint: 'review that file and its imports, then allow it with --trust' },
  );
}

/** The same for a command that has an agent continue a stored session, with the state and questions stored there. */
export async function refuseStrangerSession(
  run: NamedRun,
  { trust, target }: { readonly trust: Trust; readonly target: string },
  surroundings: Surroundings,
): Promise<void> {
  await refuseStranger(run, trust, surroundings);
  if (isOurs(run)) return;
  const shown = shownPath(run.stored.place, surroundings.cwd);
  const why = `${shown} was not recorded by your account on this machine`;
  if (await isAllowed(trust, `${why}. Send its questions to the agent ${target}?`)) return;
  throw new AssayError(
    'run-not-trusted',
    `${shown} was not recorded by your account on this machine, and this command would send its questions to the agent ${target}`,
    { stage: 'plan', hint: 'read its files explain.json and agent-state, then allow it with --trust' },
  );
}

async function isAllowed({ isTrusted, confirm }: Trust, question: string): Promise<boolean> {
  return isTrusted || (await confirm?.(question)) === true;
}

/** The first file that the run would load from elsewhere. Undefined: all code is the project's own. */
async function foreignCode(run: NamedRun, surroundings: Surroundings): Promise<string | undefined> {
  const { cwd } = surroundings;
  const [config] = await findConfigs(cwd, cwd);
  const root = projectRootOf(cwd, config);
  const ours = isOurs(run);
  const parcel = ours ? undefined : parcelOf(run.stored.place, root);
  const foreign = namedBy(run).find(
    (file) => !isBelow(root, file) || (parcel !== undefined && isBelow(parcel, file)),
  );
  if (foreign === undefined || !ours) return foreign;
  const runs = await outputDirectory(undefined, surroundings);
  return isBelow(runs, run.stored.place) ? undefined : foreign;
}

/** Whether this account recorded the run where it is. Runs of a database are guarded by its accounts. */
function isOurs({ stored, manifest }: NamedRun): boolean {
  if (stored.isWithoutFiles === true) return true;
  return isSealed({ directory: stored.place, id: manifest.id }, manifest.leftovers);
}

/** The folder of the project into which a run from elsewhere was unpacked, perhaps with code beside it. */
function parcelOf(directory: string, root: string): string {
  const way = wayWithin(realPlace(root), realPlace(directory));
  const [first = ''] = way?.split(sep) ?? [];
  return first === '' ? directory : join(root, first);
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
