import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type ContentRedactor, redactContent, redactFile } from './redact-content.ts';

/** Files above this many bytes are redacted piece by piece. */
const LARGEST_BYTES = 8 * 2 ** 20;

/**
 * Takes secrets out of the files that a program of somebody else has left in a directory, and lets only their
 * owner read them. Links are never followed; what belongs to another user is left as it is.
 */
export function redactForeignFiles(
  directory: string,
  own: ReadonlySet<string>,
  redactor: ContentRedactor,
): void {
  chmodSync(directory, 0o700);
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (own.has(path)) continue;
    try {
      redactEntry(path, own, redactor);
    } catch (error) {
      if (!OUT_OF_REACH.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

/** Of another user, or gone meanwhile. */
const OUT_OF_REACH: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ENOENT']);

function redactEntry(path: string, own: ReadonlySet<string>, redactor: ContentRedactor): void {
  const status = lstatSync(path);
  if (status.isDirectory()) redactForeignFiles(path, own, redactor);
  if (!status.isFile()) return;
  // A second name of a file means that it lies somewhere else too.
  if (status.nlink === 1) chmodSync(path, 0o600);
  if (status.size > LARGEST_BYTES) {
    redactFile(path, redactor);
    return;
  }
  const content = readFileSync(path);
  const clean = Buffer.from(redactContent(content, redactor));
  if (clean.equals(content)) return;
  rmSync(path);
  writeFileSync(path, clean, { flag: 'wx', mode: 0o600 });
}
