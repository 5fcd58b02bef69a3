import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { makeDirectory } from '../files/make-directory.ts';

/**
 * Signs files that are kept in projects. The key is in the home of the operator, which agents under test do not know.
 */
export function signingKey(home: string = homedir()): Buffer | undefined {
  const folder = join(home, '.local/state/assay');
  const path = join(folder, 'module-key');
  try {
    return readKey(path) ?? makeKey(folder, path);
  } catch {
    return undefined;
  }
}

const KEY_BYTES = 32;

function readKey(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { uid, mode } = fstatSync(file);
    const key = Buffer.alloc(KEY_BYTES);
    const bytes = readSync(file, key, 0, KEY_BYTES, 0);
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0 || bytes !== KEY_BYTES)
      throw new Error('not a key of ours');
    return key;
  } finally {
    closeSync(file);
  }
}

/** Linked when it is complete: if several processes start at once, one of them wins and all read its key. */
function makeKey(folder: string, path: string): Buffer | undefined {
  makeDirectory(folder);
  const own = `${path}-${process.pid}`;
  writeFileSync(own, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(own, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(own);
  }
  return readKey(path);
}
