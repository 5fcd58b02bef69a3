import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import type { LeftFile } from './adapter.ts';

/** The contents of the files that were left, by name; one that is not there is left out. */
export async function readLeft(files: readonly LeftFile[]): Promise<Readonly<Record<string, string>>> {
  const contents: Record<string, string> = {};
  for (const { name, folder, fits } of files) {
    const paths = await pathsBelow(folder);
    const found = paths.filter(fits).sort().at(-1);
    if (found === undefined) continue;
    const content = await readFile(join(folder, found), 'utf8').catch(() => undefined);
    if (content !== undefined) contents[name] = content;
  }
  return contents;
}

async function pathsBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
}
