import { closeSync, fstatSync, ftruncateSync, openSync, readSync, statSync, type Stats } from 'node:fs';

import { writeAll } from '../../lib/files/write-all.ts';
import { guarded } from '../guarded.ts';

/** A file to which lines are appended. A write is complete or throws. */
export interface AppendFile {
  /** The texts one after the other, in one write. */
  write(texts: readonly string[]): void;
  /** Throws if the file was removed or replaced since it was opened, because its content is lost then. */
  ensureThere(): void;
  /** Can be called repeatedly. A later write throws. */
  close(): void;
}

/** Opens a file for appending, mode 0600. Cuts off an incomplete last line of an earlier process. */
export function openAppendFile(path: string): AppendFile {
  return guarded(path, () => {
    const descriptor = openSync(path, 'a+', 0o600);
    cutTornLine(descriptor);
    return openedFile(path, descriptor);
  });
}

/** A closed descriptor is never used again, because its number may belong to another file. */
function openedFile(path: string, descriptor: number): AppendFile {
  let open = true;
  return {
    write: (texts) =>
      guarded(path, () => {
        if (!open) throw new Error('the file is closed');
        writeAll(descriptor, bytesOf(texts));
      }),
    ensureThere: () => guarded(path, () => compare(statSync(path), fstatSync(descriptor))),
    close() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}

let room: Buffer | undefined;

const ROOM_BYTES = 1 << 19;

/** In a buffer that the next write uses again, as far as they fit: a log is written in many small pieces. */
function bytesOf(texts: readonly string[]): Uint8Array {
  // A character takes at most three bytes.
  const most = texts.reduce((sum, { length }) => sum + length * 3, 0);
  if (most > ROOM_BYTES) return Buffer.from(texts.join(''));
  room ??= Buffer.allocUnsafeSlow(ROOM_BYTES);
  let used = 0;
  for (const text of texts) used += room.write(text, used);
  return room.subarray(0, used);
}

function compare(there: Stats, opened: Stats): void {
  if (there.ino !== opened.ino || there.dev !== opened.dev)
    throw new Error('the file was replaced during the run');
}

function cutTornLine(descriptor: number): void {
  let end = fstatSync(descriptor).size;
  const size = end;
  const chunk = Buffer.alloc(65_536);
  while (end > 0) {
    const start = Math.max(0, end - chunk.length);
    const length = readSync(descriptor, chunk, 0, end - start, start);
    const newline = chunk.subarray(0, length).lastIndexOf(10);
    if (newline >= 0) {
      end = start + newline + 1;
      break;
    }
    end = start;
  }
  if (end < size) ftruncateSync(descriptor, end);
}
