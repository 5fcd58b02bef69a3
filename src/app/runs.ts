import type { RunStore } from '../core/run-store.ts';
import { runDirectories } from '../storage/run-directory/store.ts';
import { logIndexes } from '../storage/run-directory/log-index.ts';
import { outputDirectory } from './project/output-directory.ts';
import type { Surroundings } from './surroundings.ts';

/** The store of runs in directories below this folder. No other file names the implementation. */
export function runsIn(directory: string, { cwd, runs }: Pick<Surroundings, 'cwd' | 'runs'>): RunStore {
  return runs ?? runDirectories(directory, cwd);
}

/** The runs of a command: from `--out`, the config, or `.assay/runs`. */
export async function openRuns(out: string | undefined, surroundings: Surroundings): Promise<RunStore> {
  return surroundings.runs ?? runsIn(await outputDirectory(out, surroundings), surroundings);
}

/** The same for a long-running process that reads them repeatedly. */
export function watchedRunsIn(
  directory: string,
  { cwd, runs }: Pick<Surroundings, 'cwd' | 'runs'>,
): RunStore {
  return runs ?? runDirectories(directory, cwd, { indexes: logIndexes() });
}
