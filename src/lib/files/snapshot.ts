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

import { breather } from '../time/breather.ts';

/** What a copy leaves out. */
export interface SnapshotEnd {
  /** Paths of links that lead outside, devices, sockets and pipes. */
  readonly dropped: readonly string[];
}

export interface SnapshotLimits {
  /** Sum of the sizes of all files; a sparse file counts with its full size. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Copies the content of a folder that others wrote into an empty one. No link is followed, and no link that could lead
 * outside is copied. Set-id bits are removed. Rejects when the files are too large.
 */
export async function snapshot(
  source: string,
  destination: string,
  { maxBytes, signal }: SnapshotLimits,
): Promise<SnapshotEnd> {
  const breathe = breather();
  const dropped: string[] = [];
  let bytes = 0;
  // Names that are not UTF-8 are kept byte by byte.
  const [from, to] = [bytesOf(source), bytesOf(destination)];

  const copyFolder = async (path: string): Promise<void> => {
    for (const name of readdirSync(onDisk(from + path), { encoding: 'latin1' })) {
      await breathe();
      signal.throwIfAborted();
      await copyEntry(`${path}/${name}`);
    }
  };
  const copyEntry = async (path: string): Promise<void> => {
    const [here, there] = [onDisk(from + path), onDisk(to + path)];
    const status = lstatSync(here);
    if (status.isDirectory()) {
      mkdirSync(there, 0o700);
      await copyFolder(path);
      chmodSync(there, (status.mode & 0o777) | 0o700);
    } else if (status.isFile()) {
      bytes += status.size;
      if (bytes > maxBytes) throw new SnapshotTooLarge(maxBytes);
      if (status.size > SMALL_BYTES) await copyFile(here, there, constants.COPYFILE_FICLONE);
      else copyFileSync(here, there, constants.COPYFILE_FICLONE);
      chmodSync(there, (status.mode & 0o777) | 0o600);
    } else if (status.isSymbolicLink() && staysInside(path, readlinkSync(here, 'latin1'))) {
      symlinkSync(readlinkSync(here, 'buffer'), there);
    } else {
      dropped.push(textOf(path.slice(1)));
    }
  };
  await copyFolder('');
  return { dropped };
}

/** The files of a workspace are larger than allowed. */
export class SnapshotTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`the workspace has more than ${Math.floor(maxBytes / 2 ** 20)} MB of files`);
    this.name = 'SnapshotTooLarge';
  }
}

/**
 * Whether a link stays inside. `..` is allowed only at its start, where it means real folders: later it could mean the
 * parent of a folder behind another link.
 */
function staysInside(path: string, target: string): boolean {
  const [, ups = '', rest = ''] = /^((?:\.\.(?:\/|$)|\.(?:\/|$))*)(.*)$/s.exec(target) ?? [];
  if (target === '' || target.startsWith('/') || rest.split('/').includes('..')) return false;
  const depth = path.split('/').length - 2;
  return ups.split('/').filter((part) => part === '..').length <= depth;
}

/** Larger files are copied beside other work. */
const SMALL_BYTES = 2 ** 20;

function bytesOf(path: string): string {
  return Buffer.from(path).toString('latin1');
}

function onDisk(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

function textOf(path: string): string {
  return Buffer.from(path, 'latin1').toString();
}
