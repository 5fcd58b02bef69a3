import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { AssayError } from '../../core/errors.ts';
import { isRunId, runPaths, type RunPaths } from './paths.ts';

/** A run named on the command line. */
export interface RunReference {
  readonly paths: RunPaths;
  /** Present for `RUN#TARGET`. */
  readonly target?: string;
}

/** Finds a run directory, a run id, a unique prefix of one, or `latest`. */
export function findRun(reference: string, outputDirectory: string, cwd: string): RunReference {
  if (isRunDirectory(resolve(cwd, reference), reference)) return { paths: runPaths(resolve(cwd, reference)) };
  const [run = '', target] = splitTarget(reference);
  const directory = resolve(cwd, run);
  const named = target === undefined ? {} : { target };
  if (isRunDirectory(directory, run)) return { paths: runPaths(directory), ...named };
  const ids = listRuns(outputDirectory);
  const found = run === 'latest' ? ids.slice(-1) : ids.filter((id) => id.startsWith(run) && run !== '');
  const exact = found.includes(run) ? run : found[0];
  if (exact !== undefined && (found.length === 1 || exact === run)) {
    return { paths: runPaths(join(outputDirectory, exact)), ...named };
  }
  throw found.length > 1 ? ambiguous(run, found) : notFound(run, outputDirectory);
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

function splitTarget(reference: string): [string, string | undefined] {
  const hash = reference.lastIndexOf('#');
  return hash < 0 ? [reference, undefined] : [reference.slice(0, hash), reference.slice(hash + 1)];
}

function ambiguous(run: string, found: readonly string[]): AssayError {
  const list = found.slice(0, 5).join(', ');
  return new AssayError('run-ambiguous', `"${run}" is the beginning of ${found.length} runs: ${list}`, {
    stage: 'plan',
    hint: 'name more of its id',
  });
}

function notFound(run: string, outputDirectory: string): AssayError {
  return new AssayError('run-not-found', `no run "${run}" in ${outputDirectory}`, {
    stage: 'plan',
    hint: 'name a run directory, a run id, the beginning of one, or latest; assay runs lists them',
  });
}
