import { openFilesLimit } from '../../lib/process/open-files-limit.ts';

/** Trials at once, and what a person should know about that. */
export interface Crowd {
  readonly concurrency: number;
  readonly note?: string;
}

/** What logs, results, caches and threads need. */
const RESERVED = 64;

/** Of a trial: a connection to its target, and one to its judge. */
const BY_TRIAL = 2;

/** Fewer trials at once where the system lets this process open too few files for so many. */
export function crowdWithin(
  concurrency: number,
  targets: Iterable<{ readonly plugin: { readonly openFiles?: number } }>,
  limit = openFilesLimit(),
): Crowd {
  const most = Math.max(BY_TRIAL, ...[...targets].map(({ plugin }) => plugin.openFiles ?? BY_TRIAL));
  const room = Math.max(1, Math.floor((limit - RESERVED) / most));
  if (room >= concurrency) return { concurrency };
  const note = `${room} trials at once instead of ${concurrency}: the system allows ${limit} open files (raise it with \`ulimit -n\`)`;
  return { concurrency: room, note };
}
