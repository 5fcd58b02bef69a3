import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { digestOf, sha256 } from '../../lib/digest.ts';
import { statusAt } from '../../lib/files/file-status.ts';

/** sha-256 of a file or a folder tree, or `special` or `absent`. */
export function contentDigest(path: string): string {
  try {
    const found = statSync(path);
    if (found.isDirectory()) return treeDigest(path);
    // Reading a pipe or a device might never end.
    return found.isFile() ? sha256(readFileSync(path)) : 'special';
  } catch {
    return 'absent';
  }
}

/** sha-256 of a file; `absent` for anything else. */
export function fileDigest(path: string): string {
  return statusAt(path)?.isFile() === true ? contentDigest(path) : 'absent';
}

/** sha-256 of all files in a folder. */
export function treeDigest(directory: string): string {
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return digestOf(
    entries.map((entry) => {
      const path = join(directory, entry.name);
      if (entry.isSymbolicLink()) return [entry.name, 'link', readlinkSync(path)];
      return [
        entry.name,
        entry.isDirectory() ? treeDigest(path) : entry.isFile() ? contentDigest(path) : 'special',
      ];
    }),
  );
}
