import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import { MeasurementError, messageOf } from '../../core/errors.ts';
import type { LeftFile } from './adapter.ts';

/** The contents of the files that were left, by name; one that is not there is left out, one that cannot be read rejects. */
export async function readLeft(files: readonly LeftFile[]): Promise<Readonly<Record<string, string>>> {
  const contents: Record<string, string> = {};
  for (const file of files) {
    const content = await contentOf(file).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw unreadable(file, error);
    });
    if (content !== undefined) contents[file.name] = content;
  }
  return contents;
}

async function contentOf({ folder, fits }: LeftFile): Promise<string | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const found = paths.filter(fits).sort().at(-1);
  return found === undefined ? undefined : await readFile(join(folder, found), 'utf8');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function unreadable({ name, folder }: LeftFile, error: unknown): MeasurementError {
  return new MeasurementError(
    `${name}: what the agent left in ${folder} cannot be read: ${messageOf(error)}`,
    { stage: 'target', kind: 'normalization', detail: 'collection', cause: error },
  );
}
