import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The nearest parent folder with `.git` or a config, else the folder itself. */
export function projectRootOf(start: string, configFile: string | undefined): string {
  const stop = configFile === undefined ? undefined : dirname(configFile);
  for (let folder = start; ; folder = dirname(folder)) {
    if (folder === stop || existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return start;
  }
}

/** A path as a person would type it. */
export function shownPath(path: string, cwd: string): string {
  const shown = relative(cwd, path);
  return shown === '' ? '.' : shown.startsWith('../../../..') ? path : shown;
}
