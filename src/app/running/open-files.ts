import { openFilesLimit } from '../../lib/process/open-files-limit.ts';

/** The possible number of parallel trials, and a note about it. */
export interface Crowd {
  readonly concurrency: number;
  readonly note?: string;
}

/** Open files for logs, results, caches and threads. */
const RESERVED = 64;

/** Open files per trial: a connection to its target, and one to its judge. */
const BY_TRIAL = 2;

/** Reduces the number of parallel trials if the system allows too few open files. */
export function crowdWithin(
  concurrency: number,
  targets: Iterable<{ readonly plugin: { readonly openFiles?: number } }>,
  limit = openFilesLimit(),
): Crowd {
  const most = Math.max(BY_TRIAL, ...[...targets].map(({ plugin }) => plugin.openFiles ?? BY_TRIAL));
  const possible = Math.max(1, Math.floor((limit - RESERVED) / most));
  if (possible >= concurrency) return { concurrency };
  const note = `${possible} parallel trials instead of ${concurrency}, because the system allows only ${limit} open files (raise it with \`ulimit -n\`)`;
  return { concurrency: possible, note };
}
