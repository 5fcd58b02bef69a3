import type { ClaimedRun } from '../../core/run-store.ts';
import { appendRows } from './append-rows.ts';
import { acquireLock } from './lock.ts';
import type { RunPaths } from './paths.ts';
import { openRun } from './open-run.ts';
import { lastRows } from './reader.ts';
import { rewriteRows } from './rewrite-rows.ts';
import { storedRun } from './stored-run.ts';
import { removeStrayAttempts } from './stray-attempts.ts';

/** Claims a run directory for this process. */
export function claimRun(paths: RunPaths, outputDirectory: string): ClaimedRun {
  const lock = acquireLock(paths.lock);
  return {
    run: storedRun(paths, { outputDirectory, trustRows: true }),
    loggedRows: () => lastRows(paths.events),
    keepRows: (keep) => rewriteRows(paths.rows, lastRows(paths.events), keep),
    addRows: (rows) => appendRows(paths.rows, rows),
    dropStrayAttempts: (ended) => removeStrayAttempts(paths, ended),
    open: (manifest, redactor) =>
      openRun(paths, { manifest, redactor, outputDirectory, release: lock.release }),
    release: lock.release,
  };
}
