import { dirname } from 'node:path';

import { AssayError } from '../core/errors.ts';
import type { RunStore, StoredRun } from '../core/run-store.ts';
import type { StoreDoor } from '../core/store-door.ts';
import { runDirectories } from '../storage/run-directory/store.ts';
import { logIndexes } from '../storage/run-directory/log-index.ts';
import { outputDirectory } from './project/output-directory.ts';
import { bothRuns } from './project/both-runs.ts';
import type { Surroundings } from './surroundings.ts';

type Places = Pick<Surroundings, 'cwd' | 'runs' | 'store'>;

/** The runs of a command: in `--out`, the folder of the config or `.assay/runs`, and in the store. */
export async function openRuns(out: string | undefined, surroundings: Surroundings): Promise<RunStore> {
  return (
    surroundings.runs ??
    (surroundings.prefers === 'store'
      ? await runsOfStore(surroundings)
      : runsIn(await outputDirectory(out, surroundings), surroundings))
  );
}

/** Run directories in a folder, then the runs of the store. No other file names the implementation. */
export function runsIn(directory: string, { cwd, runs, store }: Places): RunStore {
  if (runs !== undefined) return runs;
  const directories = runDirectories(directory, cwd);
  return store === undefined ? directories : bothRuns(directories, () => runsBehind(store));
}

/** The runs of the store, then run directories. Throws `no-store`. */
export async function runsOfStore(surroundings: Surroundings): Promise<RunStore> {
  if (surroundings.runs !== undefined) return surroundings.runs;
  const runs = surroundings.store && (await runsBehind(surroundings.store));
  if (runs === undefined) throw noStore();
  const directory = await outputDirectory(undefined, surroundings);
  return bothRuns(runs, async () => runDirectories(directory, surroundings.cwd));
}

async function runsBehind(door: StoreDoor): Promise<RunStore | undefined> {
  return door.findRuns === undefined ? (await door.find())?.runs : await door.findRuns();
}

/** The other runs in the same store or folder. */
export async function runsBeside(run: StoredRun, surroundings: Surroundings): Promise<RunStore> {
  const { isWithoutFiles = false } = run;
  return isWithoutFiles ? await runsOfStore(surroundings) : runsIn(dirname(run.place), surroundings);
}

/** Where a run that is made of this one is kept: in the store if this one is. */
export async function runsLike(
  run: StoredRun,
  out: string | undefined,
  surroundings: Surroundings,
): Promise<RunStore> {
  if (run.isWithoutFiles === true) return await runsOfStore(surroundings);
  return surroundings.runs ?? runsIn(await outputDirectory(out, surroundings), surroundings);
}

/** The runs in a folder, for a long-running process that reads them repeatedly. */
export function watchedRunsIn(
  directory: string,
  { cwd, runs }: Pick<Surroundings, 'cwd' | 'runs'>,
): RunStore {
  return runs ?? runDirectories(directory, cwd, { indexes: logIndexes() });
}

/** The error of a run that the store does not have. */
export function runNotFound(id: string): AssayError {
  return new AssayError('run-not-found', `unknown run "${id}"`, {
    stage: 'plan',
    hint: 'the run may have been removed',
  });
}

/** The error of a project that has no database. */
export function noStore(): AssayError {
  return new AssayError('no-store', 'this project has no store', {
    stage: 'plan',
    hint: 'import test cases with `assay cases import FILE`, or set DATABASE_URL',
  });
}
