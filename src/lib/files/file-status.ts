import { lstatSync, type Stats, statSync } from 'node:fs';

/** What is at a path; undefined also where nothing can be: below a file, round a circle of links, behind too long a name. */
export function statusAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The same, of a link itself. */
export function ownStatusAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
