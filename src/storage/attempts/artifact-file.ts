import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

import type { ArtifactStream } from '../../core/target.ts';
import { writeAll } from '../../lib/files/write-all.ts';
import type { ContentRedactor } from '../cleaning/redact-content.ts';

/** A file that is appended to, with secrets removed. */
export function growingFile(
  file: string,
  redactor: Pick<ContentRedactor, 'bytes'>,
  tried: (write: () => void) => void,
): ArtifactStream {
  const redacted = redactor.bytes();
  let descriptor: number | undefined;
  let isOver = false;
  const add = (bytes: Uint8Array) => {
    if (bytes.length === 0) return;
    tried(() => {
      descriptor ??= openNew(file);
      writeAll(descriptor, bytes);
    });
  };
  return {
    write: (chunk) => add(redacted.push(chunk)),
    end() {
      if (isOver) return;
      isOver = true;
      add(redacted.end());
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

/** Creates a file although an agent may have removed or locked the directory, or replaced it or the file by links. */
export function writeNew(file: string, bytes: string | Uint8Array): void {
  const descriptor = openNew(file);
  try {
    writeAll(descriptor, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  } finally {
    closeSync(descriptor);
  }
}

function openNew(file: string): number {
  const folder = lstatSync(dirname(file), { throwIfNoEntry: false });
  if (folder?.isDirectory() === true && (folder.mode & 0o777) === 0o700) {
    try {
      return openSync(file, 'wx', 0o600);
    } catch {
      // Something else is at this path.
    }
  }
  makeRoom(file);
  return openSync(file, 'wx', 0o600);
}

function makeRoom(file: string): void {
  const folder = dirname(file);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) rmSync(folder, { force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  clearPlace(file);
}

/** A tree that is too deep to be removed in one step is moved aside and cleaned like everything that the agent left. */
export function clearPlace(place: string | Buffer): void {
  try {
    rmSync(place, { recursive: true, force: true });
  } catch {
    renameSync(place, Buffer.concat([Buffer.from(place), Buffer.from(`.${process.pid}.aside`)]));
  }
}
