import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  createReadStream,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from 'node:fs';

import type { FileChange } from '../core/file-change.ts';
import { readably } from '../lib/files/readably.ts';
import { breather } from '../lib/time/breather.ts';
import { onDisk, shownPath, type BytePath } from '../lib/files/byte-path.ts';

/** A file or link as git stores it; `other`: a thing without content, such as a socket. */
export interface TreeEntry {
  readonly mode: '100644' | '100755' | '120000' | 'other';
  /** Id of the git blob; empty for `other`. For unread files, an id of size and times. */
  readonly id: string;
  readonly size: number;
  /** The permission bits, which are more exact than git's mode. */
  readonly permissions: number;
  /** Present when its content was not read, so that git does not have it. */
  readonly omitted?: NonNullable<FileChange['omitted']>;
}

/** The content of a directory by path, sorted by bytes, without repositories (`.git`). */
export type Tree = ReadonlyMap<BytePath, TreeEntry>;

/** The result of scanning a directory, and the paths that could not be read. */
export interface Scan {
  readonly tree: Tree;
  readonly unreadable: readonly string[];
}

/**
 * Reads every file and keeps links as links, because times and sizes prove nothing about content. Only for files larger
 * than `LARGEST_BYTES` they are used.
 */
export async function scanTree(root: BytePath, signal: AbortSignal): Promise<Scan> {
  const found: [BytePath, TreeEntry][] = [];
  const unreadable: string[] = [];
  const breathe = breather();
  const visit = async (folder: BytePath, prefix: BytePath): Promise<void> => {
    for (const name of namesIn(folder)) {
      if (isRepository(name)) continue;
      await breathe();
      signal.throwIfAborted();
      const path = prefix + name;
      const place = `${folder}/${name}`;
      try {
        const status = lstatSync(onDisk(place));
        if (status.isDirectory()) await visit(place, `${path}/`);
        else found.push([path, await entryOf(place, status)]);
      } catch {
        signal.throwIfAborted();
        found.push([path, UNREADABLE]);
        unreadable.push(shownPath(path));
      }
    }
  };
  if (isDirectory(root)) await visit(root, '');
  found.sort(([left], [right]) => (left < right ? -1 : 1));
  return { tree: new Map(found), unreadable };
}

export const NOTHING: Tree = new Map();

const UNREADABLE: TreeEntry = { mode: '100644', id: '', size: 0, permissions: 0, omitted: 'unreadable' };

/** Larger files are not read. */
export const LARGEST_BYTES = 64 * 2 ** 20;

/** git never stores files below such a name. */
export function isRepository(name: string): boolean {
  return name.toLowerCase() === '.git';
}

/** Whether a path is a directory and not a link. */
export function isDirectory(path: BytePath): boolean {
  return lstatSync(onDisk(path), { throwIfNoEntry: false })?.isDirectory() === true;
}

export const SMALL_BYTES = 2 ** 20;

function namesIn(folder: BytePath): string[] {
  const list = () => readdirSync(onDisk(folder), { encoding: 'latin1' });
  return readably(folder, 0o700, list);
}

/** Describes a file or link; rejects when it cannot be read. */
export async function entryOf(place: BytePath, status: Stats): Promise<TreeEntry> {
  const { size } = status;
  const permissions = status.mode & 0o7777;
  if (status.isSymbolicLink()) {
    const content = readlinkSync(onDisk(place), 'buffer');
    return { mode: '120000', id: blobId(content), size: content.length, permissions };
  }
  if (!status.isFile()) return { mode: 'other', id: '', size, permissions };
  const mode = (permissions & 0o100) === 0 ? '100644' : '100755';
  if (size > LARGEST_BYTES) {
    const { mtimeMs, ctimeMs, ino } = status;
    const id = `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
    return { mode, id, size, permissions, omitted: 'too-large' };
  }
  if (size > SMALL_BYTES) return { mode, id: await largeBlobId(place, size), size, permissions };
  const content = readably(place, 0o400, () => readFileSync(onDisk(place)));
  return { mode, id: blobId(content), size: content.length, permissions };
}

/** The id that git gives to this content. */
export function blobId(content: Uint8Array): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

async function largeBlobId(place: BytePath, size: number): Promise<string> {
  readably(place, 0o400, () => accessSync(onDisk(place), constants.R_OK));
  const hash = createHash('sha1').update(`blob ${size}\0`);
  for await (const chunk of createReadStream(onDisk(place), { end: size - 1 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
