import { chmodSync, lstatSync } from 'node:fs';

import { onDisk, type BytePath } from './byte-path.ts';

/** Reads a file or folder whose owner may have removed the permission to read it: the permission is added. */
export function readably<T>(place: BytePath, permission: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    chmodSync(onDisk(place), (lstatSync(onDisk(place)).mode & 0o7777) | permission);
    return read();
  }
}
