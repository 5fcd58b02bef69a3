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

/** Gives the folders of runs that are kept after all their names back: their transaction has failed. */
export async function restoreKept(
  folder: string,
  keptOf: (runs: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const aside = await runsAside(folder);
  if (aside.length === 0) return;
  for (const id of await keptOf(aside)) await rename(join(folder, `${PREFIX}${id}`), join(folder, id));
}

/** Removes the folders that were set aside, also by a process that was killed since. Gives those that stay. */
export async function removeSetAside(folder: string): Promise<readonly string[]> {
  const left: string[] = [];
  for (const id of await runsAside(folder)) {
    const place = join(folder, `${PREFIX}${id}`);
    const isRemoved = await removeTree(place).then(() => true, isAbsent);
    if (!isRemoved) left.push(place);
  }
  return left;
}

async function runsAside(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (isAbsent(error) || error.code === 'ENOTDIR') return [];
    throw error;
  });
  return names.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
}

function isAbsent(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ENOENT';
}
