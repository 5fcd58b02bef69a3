import { rmdirSync } from 'node:fs';

/** Removes a directory that has nothing in it; any other stays. Tells whether it is gone because of that. */
export function removeIfEmpty(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch {
    // something is in it, or it is not there
    return false;
  }
}
