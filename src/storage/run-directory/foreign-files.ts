import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { decodeUtf8Text } from './utf8.ts';

/** Files above this many bytes are not looked into. */
const LARGEST_BYTES = 64 * 2 ** 20;

/**
 * Takes secrets out of the text files that a program of somebody else has left in a directory, and lets only their
 * owner read them. Links are never followed; what belongs to another user is left as it is.
 */
export function redactForeignFiles(directory: string, own: ReadonlySet<string>, redact: Redact): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (own.has(path)) continue;
    try {
      redactEntry(path, own, redact);
    } catch (error) {
      if (!OUT_OF_REACH.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

type Redact = (text: string) => string;

/** Of another user, or gone meanwhile. */
const OUT_OF_REACH: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ENOENT']);

function redactEntry(path: string, own: ReadonlySet<string>, redact: Redact): void {
  const status = lstatSync(path);
  if (status.isDirectory()) {
    chmodSync(path, 0o700);
    redactForeignFiles(path, own, redact);
  }
  if (!status.isFile()) return;
  // A second name of a file means that it lies somewhere else too.
  if (status.nlink === 1) chmodSync(path, 0o600);
  if (status.size > LARGEST_BYTES) return;
  const text = decodeUtf8Text(readFileSync(path));
  const clean = text === undefined ? text : redact(text);
  if (clean === undefined || clean === text) return;
  rmSync(path);
  writeFileSync(path, clean, { flag: 'wx', mode: 0o600 });
}
