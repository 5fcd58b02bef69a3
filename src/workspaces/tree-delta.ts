import { createHash } from 'node:crypto';

import type { FileChange } from '../core/file-change.ts';
import type { BytePath } from '../lib/files/byte-path.ts';
import type { Tree, TreeEntry } from './scan-tree.ts';

/** A path at which two trees differ. */
export interface Difference {
  readonly path: BytePath;
  readonly change: FileChange['change'];
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** Paths at which the trees differ in content or kind, sorted by bytes. Things without content are ignored. */
export function treeDelta(before: Tree, after: Tree): readonly Difference[] {
  const differences: Difference[] = [];
  const unread = [...after].filter(([, { omitted }]) => omitted === 'unreadable').map(([path]) => `${path}/`);
  for (const path of pathsOf(before, after)) {
    const old = withContent(before.get(path));
    const now = withContent(after.get(path));
    if (old?.id === now?.id && old?.mode === now?.mode) continue;
    if (now === undefined && liesBelow(path, unread)) continue;
    const change = old === undefined ? 'created' : now === undefined ? 'deleted' : 'edited';
    differences.push({ path, change, before: old, after: now });
  }
  return differences;
}

/** The entry as git has it; undefined when git has none. */
export function inGit(entry: TreeEntry | undefined): TreeEntry | undefined {
  return entry?.omitted === undefined ? entry : undefined;
}

/** A path that cannot be read any more is not known to be deleted. */
function liesBelow(path: BytePath, folders: readonly BytePath[]): boolean {
  return folders.some((folder) => path.startsWith(folder));
}

/** Equal only for trees with equal content and kinds. */
export function treeDigest(tree: Tree): string {
  const hash = createHash('sha256');
  for (const [path, { mode, id, omitted }] of tree)
    if (omitted === undefined) hash.update(`${mode} ${id} ${path}\0`, 'latin1');
  return hash.digest('hex');
}

function pathsOf(before: Tree, after: Tree): Iterable<BytePath> {
  const added = [...after.keys()].filter((path) => !before.has(path));
  return added.length === 0 ? before.keys() : [...before.keys(), ...added].sort();
}

function withContent(entry: TreeEntry | undefined): TreeEntry | undefined {
  return entry?.mode === 'other' ? undefined : entry;
}
