import { lstatSync } from 'node:fs';

import { onDisk, shownPath, type BytePath } from '../lib/files/byte-path.ts';
import { entryOf, type Tree, type TreeEntry } from './scan-tree.ts';

/** Files that must not change while they are used for grading. */
export interface GuardedFiles {
  readonly directory: BytePath;
  /** The required files. */
  readonly files: Tree;
}

/** Reads the files, and returns a function that names those changed since, or different already. */
export async function guardFiles(guarded: GuardedFiles): Promise<() => Promise<readonly string[]>> {
  // First the marks, then the contents: a write in between changes one of them at the second look.
  const marks = new Map([...guarded.files.keys()].map((path) => [path, markOf(guarded, path)]));
  const wrong = await differing(guarded);
  return async () => {
    const replaced = [...marks]
      .filter(([path, mark]) => markOf(guarded, path) !== mark)
      .map(([path]) => path);
    const changed = new Set([...wrong, ...replaced, ...(await differing(guarded))]);
    return [...changed].map(shownPath).toSorted();
  };
}

/** Changes with every write, even if the content is restored, because a program cannot set ctime. */
function markOf({ directory }: GuardedFiles, path: BytePath): string {
  try {
    const { dev, ino, ctimeNs } = lstatSync(onDisk(`${directory}/${path}`), { bigint: true });
    return `${dev} ${ino} ${ctimeNs}`;
  } catch {
    return 'none';
  }
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
