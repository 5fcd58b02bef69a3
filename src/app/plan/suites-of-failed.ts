import { findRun } from '../../storage/run-directory/find.ts';
import { readManifest } from '../../storage/run-directory/manifest.ts';
import { STORED_SUITE } from '../project/load-stored-suite.ts';
import { outputDirectory } from '../project/output-directory.ts';
import type { RunOptions, Surroundings } from '../run-options.ts';

interface FailedRequest {
  readonly options: Pick<RunOptions, 'failed' | 'stored'>;
  readonly surroundings: Surroundings;
  readonly out?: string | undefined;
}

/** Ids of the suites of the run that `--failed` names; undefined: every file counts, or it is found out later why not. */
export async function suitesOfFailed({
  options,
  surroundings,
  out,
}: FailedRequest): Promise<ReadonlySet<string> | undefined> {
  if (options.failed === undefined || options.stored === true) return undefined;
  try {
    const { paths } = findRun(options.failed, await outputDirectory(out, surroundings), surroundings.cwd);
    const ids = readManifest(paths).suites.map(({ id }) => id);
    return ids.includes(STORED_SUITE) ? undefined : new Set(ids);
  } catch {
    return undefined;
  }
}
