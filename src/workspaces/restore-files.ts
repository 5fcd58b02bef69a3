import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';

import { MeasurementError } from '../core/errors.ts';
import { onDisk, shownPath, type BytePath } from '../lib/files/byte-path.ts';
import { isDirectory, LARGEST_BYTES, type Tree, type TreeEntry } from './scan-tree.ts';

export interface Restoration {
  readonly directory: BytePath;
  readonly before: Tree;
  readonly after: Tree;
  readonly isProtected: (path: string) => boolean;
  /** Contents by blob id. */
  blobs(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** Restores content, kind and permissions of the protected paths. Never writes through a link. */
export async function restoreFiles(restoration: Restoration): Promise<void> {
  const { directory, before, after, isProtected } = restoration;
  const isOurs = (path: BytePath) => isProtected(shownPath(path));
  for (const path of after.keys()) {
    if (!before.has(path) && isOurs(path)) remove(directory, path);
  }
  const lost = [...before].filter(([path, entry]) => !isSame(entry, after.get(path)) && isOurs(path));
  for (const [path, { omitted }] of lost) {
    if (omitted !== undefined) throw notRestorable(shownPath(path), omitted);
  }
  const ids = new Set(lost.map(([, { id }]) => id).filter((id) => id !== ''));
  if (ids.size === 0) return;
  const contents = await restoration.blobs([...ids]);
  for (const [path, entry] of lost) {
    const content = contents.get(entry.id);
    if (content !== undefined) putBack({ directory, path, entry, content });
  }
}

/** A path that exists again after its removal was written by a process that outlived the agent. */
function putBack(lost: LostFile): void {
  try {
    replace(lost);
  } catch (error) {
    if (!IN_THE_WAY.has((error as NodeJS.ErrnoException).code)) throw error;
    throw writtenMeanwhile(`${shownPath(lost.path)} was changed while assay restored it`, error);
  }
}

/** The error for a protected file that a process of the agent wrote after the agent had ended. */
export function writtenMeanwhile(message: string, cause?: unknown): MeasurementError {
  return new MeasurementError(message, {
    stage: 'workspace',
    kind: 'tampered',
    hint: 'a process of the agent was still running: make the agent end the processes that it starts',
    cause,
  });
}

const IN_THE_WAY: ReadonlySet<unknown> = new Set(['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EISDIR']);

function notRestorable(path: string, omitted: NonNullable<TreeEntry['omitted']>): MeasurementError {
  const why = {
    'too-large': `it is larger than ${LARGEST_BYTES / 2 ** 20} MB`,
    unreadable: 'it could not be read before the agent started',
  };
  return new MeasurementError(`${path} was changed and cannot be restored: ${why[omitted]}`, {
    stage: 'workspace',
    kind: 'tampered',
    detail: omitted,
    hint: 'remove it from `workspace.restore`, or make it smaller and readable',
  });
}

function isSame(entry: TreeEntry, now: TreeEntry | undefined): boolean {
  return entry.id === now?.id && entry.mode === now.mode && entry.permissions === now.permissions;
}

interface LostFile {
  readonly directory: BytePath;
  readonly path: BytePath;
  readonly entry: TreeEntry;
  readonly content: Uint8Array;
}

/** Always a new file, because the old one may be a hard or symbolic link to a file outside. */
function replace({ directory, path, entry, content }: LostFile): void {
  let folder = directory;
  const names = path.split('/');
  ensureFolder(folder);
  for (const name of names.slice(0, -1)) {
    folder += `/${name}`;
    ensureFolder(folder);
  }
  const place = `${directory}/${path}`;
  rmSync(onDisk(place), { recursive: true, force: true });
  if (entry.mode === '120000') {
    symlinkSync(Buffer.from(content), onDisk(place));
    return;
  }
  writeFileSync(onDisk(place), content, { flag: 'wx' });
  chmodSync(onDisk(place), entry.permissions);
}

/** Makes sure that a path is a real, writable folder. */
function ensureFolder(folder: BytePath): void {
  if (!isDirectory(folder)) {
    rmSync(onDisk(folder), { force: true });
    mkdirSync(onDisk(folder), { mode: 0o755 });
    return;
  }
  openUp(folder);
}

/** Only if every folder above is real, because removing must not follow links either. */
function remove(directory: BytePath, path: BytePath): void {
  let folder = directory;
  for (const name of path.split('/').slice(0, -1)) {
    folder += `/${name}`;
    if (!isDirectory(folder)) return;
    openUp(folder);
  }
  rmSync(onDisk(`${directory}/${path}`), { recursive: true, force: true });
}

function openUp(folder: BytePath): void {
  const { mode } = lstatSync(onDisk(folder));
  if ((mode & 0o700) !== 0o700) chmodSync(onDisk(folder), (mode & 0o7777) | 0o700);
}
