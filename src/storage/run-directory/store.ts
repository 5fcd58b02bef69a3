import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';

import type { RunStore } from '../../core/run-store.ts';
import { makeDirectory } from '../../lib/files/make-directory.ts';
import { given } from '../../lib/given.ts';
import { guarded } from '../guarded.ts';
import { withFrozen } from '../runs/with-frozen.ts';
import { claimRun } from './claim.ts';
import { claimAttempt } from './claim-attempt.ts';
import { findRun, listRuns, runAround } from './find.ts';
import { runId } from '../runs/run-id.ts';
import { runPaths } from './paths.ts';
import { writeSpec } from './spec.ts';
import { storedRun, type StoredRunOptions } from './stored-run.ts';

/** The run directories in a folder. `find` also accepts the path of any other run directory, relative to `cwd`. */
export function runDirectories(
  outputDirectory: string,
  cwd: string,
  { indexes }: Pick<StoredRunOptions, 'indexes'> = {},
): RunStore {
  const options = { outputDirectory, ...given({ indexes }) };
  // Reading 10,000 runs repeatedly would be slow.
  const known = indexes && new Set<string>();
  return {
    find: async (reference) => {
      const { paths, target } = findRun(reference, outputDirectory, cwd);
      const run = storedRun(paths, options);
      return target === undefined ? { run } : { run, target };
    },
    list: async () => listRuns(outputDirectory, known),
    open: (id) => storedRun(runPaths(join(outputDirectory, id)), options),
    create: async ({ startedAt, redactor, spec, frozen, manifest }) => {
      const id = runId(startedAt, randomBytes(4));
      const paths = runPaths(join(outputDirectory, id));
      guarded(paths.directory, () => makeDirectory(paths.directory));
      const claimed = claimRun(paths, outputDirectory);
      if (spec !== undefined) writeSpec(paths, spec, redactor);
      const run = await claimed.open(manifest(id, paths.directory), redactor);
      return await withFrozen(run, frozen);
    },
    around: async (place) => {
      const found = runAround(resolve(cwd, place));
      return found && { run: storedRun(found.paths, options), name: found.name };
    },
    claimAttempt: async ({ run, name }) => claimAttempt(run.placeOf(name)),
    claim: async ({ place }) => claimRun(runPaths(place), outputDirectory),
  };
}
