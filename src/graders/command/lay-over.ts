import { copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { changeMark } from '../../lib/files/change-mark.ts';

/** Where files are laid. */
export interface LayPlace {
  /** Absolute. */
  readonly root: string;
  /** Relative to the root. */
  readonly at: string;
}

export interface LaidFile {
  /** Absolute. */
  readonly path: string;
  /** The file that was copied. */
  readonly source: string;
  /** The change mark right after copying. */
  readonly mark: string;
}

/**
 * Copies a file or a folder into a tree that others wrote. What is in the way is removed: a link must not lead the files
 * elsewhere. Returns all copies.
 */
export async function layOver(source: string, { root, at }: LayPlace): Promise<readonly LaidFile[]> {
  const laid: LaidFile[] = [];
  const lay = (from: string, parts: readonly string[]): void => {
    if (statSync(from).isDirectory()) {
      for (const name of readdirSync(from)) lay(join(from, name), [...parts, name]);
      return;
    }
    makeFolders(root, parts.slice(0, -1));
    const to = join(root, ...parts);
    rmSync(to, { recursive: true, force: true });
    copyFileSync(from, to);
    laid.push({ path: to, source: from, mark: changeMark(to) });
  };
  const parts = at.split('/').filter((part) => part !== '' && part !== '.');
  // A single file is put into the folder under its own name.
  lay(source, statSync(source).isDirectory() ? parts : [...parts, basename(source)]);
  return await Promise.resolve(laid);
}

/**
 * Whether a copy was written since. The mark shows each write after it was taken, and the content shows a write before
 * that.
 */
export function hasChanged({ path, source, mark }: LaidFile): boolean {
  return !holdsSame(source, path) || changeMark(path) !== mark;
}

function holdsSame(source: string, path: string): boolean {
  try {
    // A link in its place is not followed, nor a pipe read.
    return lstatSync(path).isFile() && readFileSync(source).equals(readFileSync(path));
  } catch {
    return false;
  }
}

function makeFolders(root: string, parts: readonly string[]): void {
  let path = root;
  for (const part of parts) {
    path = join(path, part);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) continue;
    if (found !== undefined) rmSync(path, { force: true });
    mkdirSync(path);
  }
}
