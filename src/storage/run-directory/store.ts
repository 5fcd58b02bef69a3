import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import type { RunStore } from '../../core/run-store.ts';
import { makeDirectory } from '../../lib/files/make-directory.ts';
import { guarded } from './append-file.ts';
import { claimRun } from './claim.ts';
import { findRun, listRuns } from './find.ts';
import { runId } from '../runs/run-id.ts';
import { runPaths } from './paths.ts';
import { storedRun } from './stored-run.ts';

/** The run directories in a folder; `find` also takes the path of any other one, relative to `cwd`. */
export function runDirectories(outputDirectory: string, cwd: string): RunStore {
  return {
    find: async (reference) => {
      const { paths, target } = findRun(reference, outputDirectory, cwd);
      const run = storedRun(paths, { outputDirectory });
      return target === undefined ? { run } : { run, target };
    },
    list: async () => listRuns(outputDirectory),
    open: (id) => storedRun(runPaths(join(outputDirectory, id)), { outputDirectory }),
    create: async ({ startedAt, redactor, manifest }) => {
      const id = runId(startedAt, randomBytes(4));
      const paths = runPaths(join(outputDirectory, id));
      guarded(paths.directory, () => makeDirectory(paths.directory));
      return claimRun(paths, outputDirectory).open(manifest(id, paths.directory), redactor);
    },
    claim: async ({ place }) => claimRun(runPaths(place), outputDirectory),
  };
}
