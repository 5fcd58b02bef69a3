import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory and what is missing above it, for its owner alone. Node's own recursive form never ends where a file system
 * such as /proc refuses with "no such file" what is plainly below an existing directory.
 */
export function makeDirectory(path: string, mode = 0o700): void {
  const missing: string[] = [];
  for (let at = path; statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at))
    missing.push(at);
  for (const directory of missing.toReversed()) makeOne(directory, mode);
}

/** Another process may make the same one meanwhile. */
function makeOne(directory: string, mode: number): void {
  try {
    mkdirSync(directory, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
