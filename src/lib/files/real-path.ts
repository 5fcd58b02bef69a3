import { realpathSync } from 'node:fs';

/** A path with its links resolved; the path itself where nothing is there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
