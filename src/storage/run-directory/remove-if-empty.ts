import { rmdirSync } from 'node:fs';

/** Removes an empty directory. Returns whether it was removed. */
export function removeIfEmpty(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch {
    // It is not empty, or does not exist.
    return false;
  }
}
