import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory and what is missing above it, mode 0700. Node's own recursive form never ends where a file system
 * such as /proc refuses with "no such file" what is plainly below an existing directory.
 */
export function makeDirectory(path: string): void {
  const missing: string[] = [];
  for (let at = path; statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at))
    missing.push(at);
  for (const directory of missing.toReversed()) makeOne(directory);
}

/** Another process may make the same one meanwhile. */
function makeOne(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
