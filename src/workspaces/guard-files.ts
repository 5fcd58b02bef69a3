import { lstatSync } from 'node:fs';

import { onDisk, shownPath, type BytePath } from './byte-path.ts';
import { entryOf, type Tree, type TreeEntry } from './scan-tree.ts';

/** Files that nothing may write while they are used for grading. */
export interface GuardedFiles {
  readonly directory: BytePath;
  /** As they have to be. */
  readonly files: Tree;
}

/** Looks at the files, and gives what tells which of them were changed before or since then. */
export async function guardFiles(guarded: GuardedFiles): Promise<() => Promise<readonly string[]>> {
  // First the marks, then the contents: a write between the two changes one of them at the second look.
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

/** Changes with every write, even when the content is then put back: nobody can set the time of a change. */
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
    // It could not be read before either: there is nothing to hold it against.
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
