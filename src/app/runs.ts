import type { RunStore } from '../core/run-store.ts';
import { runDirectories } from '../storage/run-directory/store.ts';
import { logIndexes } from '../storage/run-directory/log-index.ts';
import { outputDirectory } from './project/output-directory.ts';
import type { Surroundings } from './surroundings.ts';

/** The one place that says how runs are kept: in directories below this folder. */
export function runsIn(directory: string, { cwd, runs }: Pick<Surroundings, 'cwd' | 'runs'>): RunStore {
  return runs ?? runDirectories(directory, cwd);
}

/** The runs of a command: those of `--out`, of the config, or of `.assay/runs`. */
export async function openRuns(out: string | undefined, surroundings: Surroundings): Promise<RunStore> {
  return surroundings.runs ?? runsIn(await outputDirectory(out, surroundings), surroundings);
}

/** The same for a process that lives long and looks into them again and again. */
export function watchedRunsIn(
  directory: string,
  { cwd, runs }: Pick<Surroundings, 'cwd' | 'runs'>,
): RunStore {
  return runs ?? runDirectories(directory, cwd, { indexes: logIndexes() });
}
