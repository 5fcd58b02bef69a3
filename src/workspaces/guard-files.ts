import { lstatSync } from 'node:fs';

import { onDisk, shownPath, type BytePath } from '../lib/files/byte-path.ts';
import { changeMark } from '../lib/files/change-mark.ts';
import { entryOf, type Tree, type TreeEntry } from './scan-tree.ts';

/** Files that must not change while they are used for grading. */
export interface GuardedFiles {
  readonly directory: BytePath;
  readonly files: Tree;
}

/** Reads the files, and returns a function that names those changed since, or different already. */
export async function guardFiles(guarded: GuardedFiles): Promise<() => Promise<readonly string[]>> {
  // First the marks, then the contents: a write in between changes one of them at the second look.
  const marks = new Map(
    [...guarded.files.keys()].map((path) => [path, changeMark(onDisk(`${guarded.directory}/${path}`))]),
  );
  const wrong = await differing(guarded);
  return async () => {
    const replaced = [...marks]
      .filter(([path, mark]) => changeMark(onDisk(`${guarded.directory}/${path}`)) !== mark)
      .map(([path]) => path);
    const changed = new Set([...wrong, ...replaced, ...(await differing(guarded))]);
    return [...changed].map(shownPath).toSorted();
  };
}

async function differing({ directory, files }: GuardedFiles): Promise<readonly BytePath[]> {
  const found: BytePath[] = [];
  for (const [path, entry] of files) {
    // It was unreadable before too, so there is nothing to compare.
    if (entry.omitted === 'unreadable') continue;
    if (!isSame(entry, await entryAt(`${directory}/${path}`))) found.push(path);
  }
  return found;
}

async function entryAt(place: BytePath): Promise<TreeEntry | undefined> {
  try {
    return await entryOf(place, lstatSync(onDisk(place)));
  } catch {
    return undefined;
  }
}

function isSame(entry: TreeEntry, now: TreeEntry | undefined): boolean {
  return entry.id === now?.id && entry.mode === now.mode;
}
