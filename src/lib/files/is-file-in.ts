import { ownStatusAt } from './file-status.ts';
import { wayWithin } from './way-within.ts';

/** Whether a path is a regular file in one of these folders. */
export function isFileIn(path: string, folders: readonly string[]): boolean {
  const isInside = folders.some((folder) => (wayWithin(folder, path) ?? '') !== '');
  return isInside && ownStatusAt(path)?.isFile() === true;
}
