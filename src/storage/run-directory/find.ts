import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { readable } from '../../core/readable.ts';
import { meantRun, splitTarget } from '../runs/meant-run.ts';
import { isRunId } from '../runs/run-id.ts';
import { nameIn, runPaths, type RunPaths } from './paths.ts';

/** A run named on the command line. */
export interface RunReference {
  readonly paths: RunPaths;
  /** Only for `RUN#TARGET`. */
  readonly target?: string;
}

/** Finds a run by directory, run id, its first characters, or `latest`. Throws `run-not-found` or `run-ambiguous`. */
export function findRun(reference: string, outputDirectory: string, cwd: string): RunReference {
  if (isRunDirectory(resolve(cwd, reference), reference)) return { paths: runPaths(resolve(cwd, reference)) };
  const { run, ...named } = splitTarget(reference);
  const directory = resolve(cwd, run);
  if (isRunDirectory(directory, run)) return { paths: runPaths(directory), ...named };
  const id = meantRun(run, { ids: listRuns(outputDirectory), place: outputDirectory });
  return { paths: runPaths(join(outputDirectory, id)), ...named };
}

function isRunDirectory(directory: string, written: string): boolean {
  return written !== '' && existsSync(join(directory, 'run.json'));
}

/** The run directory that contains a path, and the relative name of the path. */
export function runAround(place: string): { readonly paths: RunPaths; readonly name: string } | undefined {
  for (let directory = place; ; directory = dirname(directory)) {
    const paths = runPaths(directory);
    if (existsSync(paths.manifest) && existsSync(paths.events))
      return { paths, name: nameIn(directory, place) };
    if (dirname(directory) === directory) return undefined;
  }
}

const READ_FOLDER = 'check that it is a folder and that you have read permission';

/** A file without permission counts as present: reading it gives the reason. */
function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return ['EACCES', 'EPERM', 'ELOOP'].includes(code);
  }
}

/** Ids of the runs in a directory, oldest first. `known` caches folders that are runs. */
export function listRuns(outputDirectory: string, known: Set<string> = new Set()): string[] {
  if (!existsSync(outputDirectory)) return [];
  const isRun = (name: string) => known.has(name) || isThere(join(outputDirectory, name, 'run.json'));
  const ids = readable(outputDirectory, () => readdirSync(outputDirectory), READ_FOLDER)
    .filter((name) => isRunId(name) && isRun(name))
    .sort();
  for (const id of ids) known.add(id);
  return ids;
}
