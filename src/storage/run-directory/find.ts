import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { meantRun, splitTarget } from '../runs/meant-run.ts';
import { isRunId } from '../runs/run-id.ts';
import { runPaths, type RunPaths } from './paths.ts';

/** A run named on the command line. */
export interface RunReference {
  readonly paths: RunPaths;
  /** Present for `RUN#TARGET`. */
  readonly target?: string;
}

/** Finds a run directory, a run id, a unique prefix of one, or `latest`. */
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

/** Ids of the runs in a directory, oldest first. */
export function listRuns(outputDirectory: string): string[] {
  if (!existsSync(outputDirectory)) return [];
  return readdirSync(outputDirectory)
    .filter((name) => isRunId(name) && existsSync(join(outputDirectory, name, 'run.json')))
    .sort();
}
