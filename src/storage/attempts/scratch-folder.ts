import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';

import { removeTree } from '../../lib/files/remove-tree.ts';
import { temporaryFolderSync } from '../../lib/files/temporary-folder.ts';
import { clearPlace } from './artifact-file.ts';
import { CLEAN_LIMITS } from '../cleaning/clean-limits.ts';

/** A private folder for files that programs of an attempt want to keep. Its path reveals nothing about the run. */
export interface ScratchFolder {
  /** Absolute path. The first call creates the folder. */
  path(): string;
  isMade(): boolean;
  /** Moves its files into a folder of the run, which is created on demand. Does not overwrite `own` files. */
  moveInto(directory: () => string, own: ReadonlySet<string>): void;
  /** Paths of files that could not be moved. */
  leftBehind(): readonly string[];
  remove(): Promise<void>;
}

export function scratchFolder(): ScratchFolder {
  let made: string | undefined;
  const left = new Set<string>();
  return {
    path: () => (made ??= temporaryFolderSync('f')),
    isMade: () => made !== undefined,
    moveInto(directory, own) {
      const folder = made;
      if (folder === undefined) return;
      for (const name of namesIn(folder)) {
        const target = placeIn(directory(), name, own);
        clearPlace(target);
        const behind = moved(Buffer.concat([Buffer.from(`${folder}/`), name]), target);
        for (const path of behind) left.add(path.slice(folder.length + 1));
      }
    },
    leftBehind: () => [...left],
    async remove() {
      if (made !== undefined) await removeTree(made);
      made = undefined;
    },
  };
}

/** Names in a folder that an agent may have removed, locked or replaced. */
function namesIn(folder: string): readonly Buffer[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  chmodSync(folder, 0o700);
  return readdirSync(folder, { encoding: 'buffer' });
}

/** Names are bytes, because agents can use names that are not UTF-8. */
function placeIn(directory: string, name: Buffer, own: ReadonlySet<string>): Buffer {
  if (own.has(name.toString())) return placeIn(directory, Buffer.concat([name, Buffer.from('.agent')]), own);
  return Buffer.concat([Buffer.from(`${directory}/`), name]);
}

/** Returns the paths that could not be moved. */
function moved(from: Buffer, to: Buffer): readonly string[] {
  try {
    // A folder can only be moved with write permission.
    if (lstatSync(from).isDirectory()) chmodSync(from, 0o700);
    renameSync(from, to);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EXDEV') {
      const left = copied(from.toString(), to.toString());
      removeNow(from);
      return left;
    }
    if (code === 'ENOENT' || !existsSync(from)) return [];
    if (!OUT_OF_REACH.has(code)) throw error;
    return [from.toString()];
  }
  return [];
}

/** Otherwise it would be copied again next time. If removal fails, it is removed with the scratch folder. */
function removeNow(place: Buffer): void {
  try {
    rmSync(place, { recursive: true, force: true });
  } catch {
    // Too deep, or locked.
  }
}

/** Error codes for files of another user. */
const OUT_OF_REACH: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);

/** Copies to another file system. Returns what was left behind: special, too large and inaccessible files. */
export function copied(from: string, to: string): readonly string[] {
  const left: string[] = [];
  const isCopied = (path: string): boolean => {
    const status = lstatSync(path, { throwIfNoEntry: false });
    const isTaken =
      status !== undefined &&
      (status.isDirectory() ||
        status.isSymbolicLink() ||
        (status.isFile() && status.size <= CLEAN_LIMITS.fileBytes));
    if (!isTaken) left.push(path);
    return isTaken;
  };
  try {
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: isCopied });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
    left.push(from);
  }
  return left;
}
