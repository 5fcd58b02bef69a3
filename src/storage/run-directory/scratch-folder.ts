import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { removeTree } from '../../lib/files/remove-tree.ts';
import { temporaryFolderSync } from '../../lib/files/temporary-folder.ts';

/** Where programs of an attempt write what is to be kept: a private folder that tells nothing of the run. */
export interface ScratchFolder {
  /** Absolute; made by the first call. */
  path(): string;
  /** Moves what lies there into a folder of the run, asked for only then; names of `own` files there are not taken. */
  moveInto(directory: () => string, own: ReadonlySet<string>): void;
  remove(): Promise<void>;
}

export function scratchFolder(): ScratchFolder {
  let made: string | undefined;
  return {
    path: () => (made ??= temporaryFolderSync('f')),
    moveInto(directory, own) {
      const folder = made;
      if (folder === undefined) return;
      for (const name of namesIn(folder)) {
        const target = join(directory(), nameFor(name, own));
        rmSync(target, { recursive: true, force: true });
        moved(join(folder, name), target);
      }
    },
    async remove() {
      if (made !== undefined) await removeTree(made);
      made = undefined;
    },
  };
}

/** An agent may have removed the folder, closed it, or put something else in its place. */
function namesIn(folder: string): readonly string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  chmodSync(folder, 0o700);
  return readdirSync(folder);
}

function nameFor(name: string, own: ReadonlySet<string>): string {
  return own.has(name) ? nameFor(`${name}.agent`, own) : name;
}

function moved(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') copied(from, to);
    else if (existsSync(from) && !OUT_OF_REACH.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Of another user, or gone meanwhile. */
const OUT_OF_REACH: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ENOENT']);

/** To another file system, without what is no file and what is too large to be waited for. */
function copied(from: string, to: string): void {
  try {
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: isCopied });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
  }
}

function isCopied(path: string): boolean {
  const status = lstatSync(path);
  return (
    status.isDirectory() || status.isSymbolicLink() || (status.isFile() && status.size <= LARGEST_COPY_BYTES)
  );
}

const LARGEST_COPY_BYTES = 64 * 2 ** 20;
