import { lstatSync } from 'node:fs';

import { plural } from '../text/plural.ts';
import { bytePath, shownPath, type BytePath } from './byte-path.ts';
import { copyTree } from './copy-tree.ts';

/** What a copy leaves out. */
export interface SnapshotEnd {
  /** Sorted paths of links that lead outside, devices, sockets and pipes, and of what cannot be read. */
  readonly dropped: readonly string[];
}

export interface SnapshotLimits {
  /** Sum of the sizes of all files; a sparse file counts with its full size. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Links that are copied even if they lead outside; default: none. */
  isTrustedLink?(path: BytePath, target: BytePath): boolean;
}

/**
 * Copies the content of a folder that others wrote into an empty one. No link is followed, and no link that could lead
 * outside is copied. Set-id bits are removed. Names that are not UTF-8 are kept byte by byte. Rejects when the files are
 * too large.
 */
export async function snapshot(
  source: string,
  destination: string,
  { maxBytes, signal, isTrustedLink }: SnapshotLimits,
): Promise<SnapshotEnd> {
  // The agent may have put a link in its place.
  if (lstatSync(source, { throwIfNoEntry: false })?.isDirectory() !== true) return { dropped: ['.'] };
  const dropped: string[] = [];
  let bytes = 0;
  await copyTree([bytePath(source), bytePath(destination)], signal, {
    modeOf: (status) => (status.mode & 0o777) | (status.isDirectory() ? 0o700 : 0o600),
    keepsLink: (path, target) => staysInside(path, target) || isTrustedLink?.(path, target) === true,
    admit: ({ size }) => {
      bytes += size;
      if (bytes > maxBytes) throw new SnapshotTooLarge(maxBytes);
    },
    leftOut: (path) => void dropped.push(shownPath(path)),
    failed: (path, error) => {
      if (!UNCOPYABLE.has((error as NodeJS.ErrnoException).code)) throw error;
      dropped.push(shownPath(path));
    },
    opens: true,
  });
  return { dropped: dropped.toSorted() };
}

/** A sentence for people about what a copy leaves out. */
export function leftOutText(dropped: readonly string[]): string {
  const shown = dropped
    .slice(0, 3)
    .map((path) => JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path));
  const more = dropped.length > 3 ? ` and ${dropped.length - 3} more` : '';
  return `${plural(dropped.length, 'path')} of the workspace left out of the copy for grading (links that lead outside, special files, and what cannot be read): ${shown.join(', ')}${more}`;
}

/** Errors about one path, not about the space for the copy. */
const UNCOPYABLE: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'ENOENT', 'ENAMETOOLONG']);

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
function staysInside(path: BytePath, target: BytePath): boolean {
  const [, ups = '', rest = ''] = /^((?:\.\.(?:\/|$)|\.(?:\/|$))*)(.*)$/s.exec(target) ?? [];
  if (target === '' || target.startsWith('/') || rest.split('/').includes('..')) return false;
  const depth = path.split('/').length - 1;
  return ups.split('/').filter((part) => part === '..').length <= depth;
}
