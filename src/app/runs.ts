import type { RunStore } from '../core/run-store.ts';
import { runDirectories } from '../storage/run-directory/store.ts';
import { outputDirectory } from './project/output-directory.ts';
import type { Surroundings } from './run-options.ts';

/** The one place that says how runs are kept: in directories below this folder. */
export function runsIn(directory: string, cwd: string): RunStore {
  return runDirectories(directory, cwd);
}

/** The runs of a command: those of `--out`, of the config, or of `.assay/runs`. */
export async function openRuns(out: string | undefined, surroundings: Surroundings): Promise<RunStore> {
  return runsIn(await outputDirectory(out, surroundings), surroundings.cwd);
}
