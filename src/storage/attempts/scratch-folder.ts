import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';

import { removeTree } from '../../lib/files/remove-tree.ts';
import { temporaryFolderSync } from '../../lib/files/temporary-folder.ts';
import { clearPlace } from './artifact-file.ts';
import { CLEAN_LIMITS } from '../cleaning/clean-limits.ts';

/** Where programs of an attempt write what is to be kept: a private folder that tells nothing of the run. */
export interface ScratchFolder {
  /** Absolute; made by the first call. */
  path(): string;
  isMade(): boolean;
  /** Moves what lies there into a folder of the run, asked for only then; names of `own` files there are not taken. */
  moveInto(directory: () => string, own: ReadonlySet<string>): void;
  /** Paths of what could not be moved. */
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

/** An agent may have removed the folder, closed it, or put something else in its place. */
function namesIn(folder: string): readonly Buffer[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  chmodSync(folder, 0o700);
  return readdirSync(folder, { encoding: 'buffer' });
}

/** Names are bytes: those that an agent gives need not be UTF-8. */
function placeIn(directory: string, name: Buffer, own: ReadonlySet<string>): Buffer {
  if (own.has(name.toString())) return placeIn(directory, Buffer.concat([name, Buffer.from('.agent')]), own);
  return Buffer.concat([Buffer.from(`${directory}/`), name]);
}

/** Gives what was left behind. */
function moved(from: Buffer, to: Buffer): readonly string[] {
  try {
    // A folder moves only when it may be written to.
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

/** It would be copied anew the next time; what cannot be removed goes with the scratch folder. */
function removeNow(place: Buffer): void {
  try {
    rmSync(place, { recursive: true, force: true });
  } catch {
    // Too deep, or closed.
  }
}

/** Of another user. */
const OUT_OF_REACH: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);

/** To another file system; gives what was left behind: what is no file, what is too large to be waited for or out of reach. */
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
