import { isAbsolute, relative, sep } from 'node:path';

/** The relative path of something in a folder; '' for the folder itself, undefined outside of it. */
export function wayWithin(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way;
}
