import { lstatSync, type Stats, statSync } from 'node:fs';

/**
 * The status of a path. Undefined also for paths that cannot exist: below a file, in a cycle of links, with a name that
 * is too long.
 */
export function statusAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The same, for a link itself. */
export function ownStatusAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
