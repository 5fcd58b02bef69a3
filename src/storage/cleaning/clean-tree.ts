import {
  chmodSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  utimesSync,
  type Stats,
} from 'node:fs';

import { removeTree } from '../../lib/files/remove-tree.ts';
import { CLEAN_LIMITS, type CleanLimits } from './clean-limits.ts';
import { cleanFile } from './clean-file.ts';
import { openFor } from './open-for.ts';
import type { ContentRedactor } from './redact-content.ts';

/** The result of cleaning a directory. Paths are relative to it. */
export interface CleanedTree {
  /** Removed, because a secret in it could not be replaced, such as in a binary file. */
  readonly leftOut: readonly string[];
  /** Files in which marks replaced secrets. */
  readonly replaced: readonly string[];
  /** Inaccessible files, such as those of another user. Their content is unknown. */
  readonly unread: readonly string[];
  /** Removed without a search, because they exceed the limits. */
  readonly unsearched: Unsearched;
}

export interface Unsearched {
  readonly tooLarge: readonly string[];
  readonly tooDeep: readonly string[];
  /** Not searched within the time limit. */
  readonly tooLate: readonly string[];
}

/**
 * The purpose of a directory. A workspace keeps the agent's modes and times. Artifacts are accessible only to their owner,
 * and binary files stay there with marks in place of secrets.
 */
export type CleanPurpose = 'workspace' | 'artifacts';

export interface CleanRequest {
  readonly redactor: ContentRedactor;
  readonly purpose: CleanPurpose;
  /** Names at the top level that are not touched. */
  readonly own?: ReadonlySet<string>;
  readonly limits?: CleanLimits;
}

/**
 * Removes secrets from a directory that an agent wrote to. Only files with secrets are replaced. Links are not followed,
 * and other hard links of a file keep the old content. It blocks the thread: see `fileCleaner`.
 */
export async function cleanTree(directory: string, request: CleanRequest): Promise<CleanedTree> {
  const { limits = CLEAN_LIMITS, own = new Set<string>() } = request;
  const root = Buffer.from(directory);
  const search: Search = {
    ...request,
    root,
    limits,
    own,
    deadlineMs: performance.now() + limits.timeMs,
    bytes: 0,
    leftOut: [],
    replaced: [],
    unread: [],
    unsearched: { tooLarge: [], tooDeep: [], tooLate: [] },
  };
  await visitFolder(root, '', search);
  const { leftOut, replaced, unread, unsearched } = search;
  return { leftOut, replaced, unread, unsearched };
}

interface Search extends Required<CleanRequest> {
  readonly root: Buffer;
  readonly deadlineMs: number;
  bytes: number;
  readonly leftOut: string[];
  readonly replaced: string[];
  readonly unread: string[];
  readonly unsearched: { readonly [Reason in keyof Unsearched]: string[] };
}

/** Names are bytes, because agents can use names that are not UTF-8. */
async function visitFolder(folder: Buffer, prefix: string, search: Search): Promise<void> {
  const before = lstatSync(folder);
  const isKept = search.purpose === 'workspace';
  if (!isKept) chmodSync(folder, 0o700);
  const close = isKept ? openFor(folder, before, 0o700) : () => {};
  try {
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      if (prefix === '' && search.own.has(name.toString())) continue;
      const path = `${prefix}${name.toString()}`;
      try {
        await visitEntry(Buffer.concat([folder, SLASH, name]), path, search);
      } catch (error) {
        if (!OUT_OF_REACH.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        search.unread.push(path);
      }
    }
    const isTouched = lstatSync(folder).mtimeMs !== before.mtimeMs;
    if (isKept && isTouched) utimesSync(folder, before.atime, before.mtime);
  } finally {
    close();
  }
}

const SLASH = Buffer.from('/');

const OUT_OF_REACH: ReadonlySet<string> = new Set(
  (
    'EACCES EPERM ENOENT EIO ENAMETOOLONG ELOOP ENOTDIR EISDIR ' +
    'EBUSY ETXTBSY ESTALE ENXIO EINVAL ENOTEMPTY'
  ).split(' '),
);

async function visitEntry(place: Buffer, path: string, search: Search): Promise<void> {
  const status = lstatSync(place);
  const reason = whyUnsearched(place, { path, status }, search);
  if (reason !== undefined) {
    await takeOut(place, search);
    search.unsearched[reason].push(path);
    return;
  }
  const name = path.slice(path.lastIndexOf('/') + 1);
  const told = status.isSymbolicLink() ? `${name}\n${readlinkSync(place)}` : name;
  if (search.redactor.text(told) !== told) {
    await takeOut(place, search);
    search.leftOut.push(path);
  } else if (status.isDirectory()) {
    await visitFolder(place, `${path}/`, search);
  } else if (status.isFile()) {
    visitFile(place, { path, status }, search);
  }
}

interface Found {
  readonly path: string;
  readonly status: Stats;
}

function whyUnsearched(place: Buffer, { path, status }: Found, search: Search): keyof Unsearched | undefined {
  const { limits, deadlineMs, root } = search;
  if (performance.now() > deadlineMs) return 'tooLate';
  if (status.isDirectory()) {
    const isDeep = path.split('/').length > limits.folders || place.length - root.length > DEEPEST_BYTES;
    return isDeep ? 'tooDeep' : undefined;
  }
  if (!status.isFile()) return undefined;
  const isLarge = status.size > limits.fileBytes || search.bytes + status.size > limits.totalBytes;
  if (!isLarge) search.bytes += status.size;
  return isLarge ? 'tooLarge' : undefined;
}

/** Longest path in bytes. Below it a path could exceed the limit of the system. */
const DEEPEST_BYTES = process.platform === 'linux' ? 3000 : 400;

/** Removes from the top, because deeper paths may be too long. */
async function takeOut(place: Buffer, { root }: Search): Promise<void> {
  if (!lstatSync(place).isDirectory()) {
    rmSync(place);
    return;
  }
  const top = Buffer.concat([root, Buffer.from(`/.left-out-${process.pid}-${performance.now()}`)]);
  renameSync(place, top);
  await removeTree(top);
}

function visitFile(place: Buffer, { path, status }: Found, search: Search): void {
  const { purpose, redactor } = search;
  const isArtifact = purpose === 'artifacts';
  // A file with a second hard link also exists elsewhere.
  if (isArtifact && status.nlink === 1) chmodSync(place, 0o600);
  const close = isArtifact ? () => {} : openFor(place, status, 0o400);
  try {
    const file = {
      path,
      status,
      mode: isArtifact ? 0o600 : status.mode,
      binary: isArtifact ? 'marked' : 'left-out',
    } as const;
    const end = cleanFile(place, file, redactor);
    if (end === 'untouched') return;
    if (end === 'replaced') search.replaced.push(path);
    else {
      rmSync(place);
      search.leftOut.push(path);
    }
  } finally {
    close();
  }
}
