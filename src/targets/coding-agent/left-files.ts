import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import { MeasurementError, messageOf } from '../../core/errors.ts';
import type { LeftFile } from './adapter.ts';

/**
 * The contents of the files that were left, by name; missing files are omitted. Rejects for an unreadable file or one
 * above 64 MB, because reading and redacting it would delay all other trials.
 */
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
  if (found === undefined) return undefined;
  const { size } = await stat(join(folder, found));
  if (size > MOST_BYTES) throw new Error(`${found} is larger than ${MOST_BYTES / 2 ** 20} MB`);
  return await readFile(join(folder, found), 'utf8');
}

const MOST_BYTES = 64 * 2 ** 20;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function unreadable({ name, folder }: LeftFile, error: unknown): MeasurementError {
  return new MeasurementError(
    `${name}: cannot read the files of the agent in ${folder}: ${messageOf(error)}`,
    { stage: 'target', kind: 'normalization', detail: 'collection', cause: error },
  );
}
