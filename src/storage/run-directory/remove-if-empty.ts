import { rmdirSync } from 'node:fs';

/** Removes a directory that has nothing in it; any other stays. */
export function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // something is in it, or it is not there
  }
}
