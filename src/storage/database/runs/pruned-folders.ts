import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { removeTree } from '../../../lib/files/remove-tree.ts';

/** No id of a run begins so. */
const PREFIX = '.pruned-';

/**
 * Renames the folders of these runs, with the files that their attempts left on this machine, so that they are found
 * when nothing names the runs any more. To remove them would take too long under a lock. Gives those that stay.
 */
export async function setAside(folder: string, runs: readonly string[]): Promise<readonly string[]> {
  const left: string[] = [];
  for (const id of runs) {
    const place = join(folder, id);
    const isAside = await rename(place, join(folder, `${PREFIX}${id}`)).then(() => true, isAbsent);
    if (!isAside) left.push(place);
  }
  return left;
}

/** Removes all folders that were set aside, also by a process that was killed since. Gives those that stay. */
export async function removeSetAside(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const left: string[] = [];
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const place = join(folder, name);
    const isRemoved = await removeTree(place).then(() => true, isAbsent);
    if (!isRemoved) left.push(place);
  }
  return left;
}

function isAbsent(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ENOENT';
}
