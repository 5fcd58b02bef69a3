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
  let areRowsAnew = false;
  return {
    get stored() {
      return storedRun(paths, { outputDirectory, ...(areRowsAnew ? { trustRows: true } : {}) });
    },
    loggedRows: () => lastRows(paths.events),
    async keepRows(keep) {
      await rewriteRows(paths.rows, lastRows(paths.events), keep);
      areRowsAnew = true;
    },
    addRows: (rows) => appendRows(paths.rows, rows),
    dropStrayAttempts: (ended) => removeStrayAttempts(paths, ended),
    open: (manifest, redactor) =>
      openRun(paths, { manifest, redactor, outputDirectory, release: lock.release }),
    release: lock.release,
  };
}
