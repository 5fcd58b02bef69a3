import { statSync, type Stats } from 'node:fs';

/** What stands at a path, links followed; undefined where nothing does, nor can below a file. */
export function statusAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}
