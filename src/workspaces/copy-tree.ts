import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';

import { breather } from '../lib/time/breather.ts';
import { onDisk, type BytePath } from './byte-path.ts';
import { SMALL_BYTES } from './scan-tree.ts';

/**
 * Copies the content of one directory into another, which must exist, with hidden files, repositories, links as links
 * and all permissions. Sockets, pipes and devices are skipped.
 */
export async function copyTree(source: BytePath, destination: BytePath, signal: AbortSignal): Promise<void> {
  const breathe = breather();
  const copyFolder = async (from: BytePath, to: BytePath): Promise<void> => {
    for (const name of readdirSync(onDisk(from), { encoding: 'latin1' })) {
      await breathe();
      signal.throwIfAborted();
      await copyEntry(`${from}/${name}`, `${to}/${name}`);
    }
  };
  const copyEntry = async (from: BytePath, to: BytePath): Promise<void> => {
    const status = lstatSync(onDisk(from));
    if (status.isSymbolicLink()) {
      symlinkSync(readlinkSync(onDisk(from), 'buffer'), onDisk(to));
    } else if (status.isDirectory()) {
      mkdirSync(onDisk(to), 0o700);
      await copyFolder(from, to);
      chmodSync(onDisk(to), status.mode & 0o7777);
    } else if (status.isFile()) {
      if (status.size > SMALL_BYTES) await copyFile(onDisk(from), onDisk(to), CLONE);
      else copyFileSync(onDisk(from), onDisk(to), CLONE);
    }
  };
  await copyFolder(source, destination);
}

/** Shares blocks if the file system supports it. */
const CLONE = constants.COPYFILE_FICLONE;
