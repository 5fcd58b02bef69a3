import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** What is copied where. */
export interface SparseCopy {
  readonly from: string | Buffer;
  /** Must not exist. */
  readonly to: string | Buffer;
  readonly sizeBytes: number;
}

/**
 * Copies a file with holes, for this user only. Chunks of zeros are not written, so the copy has holes too. No link is
 * followed.
 */
export async function copySparse({ from, to, sizeBytes }: SparseCopy, signal: AbortSignal): Promise<void> {
  await using source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  await using copy = await open(to, 'wx', 0o600);
  const chunk = Buffer.allocUnsafe(ZEROS.length);
  let at = 0;
  // A file that grows is copied up to its size at the beginning.
  while (at < sizeBytes) {
    signal.throwIfAborted();
    const { bytesRead } = await source.read(chunk, 0, Math.min(chunk.length, sizeBytes - at), at);
    if (bytesRead === 0) break;
    const part = chunk.subarray(0, bytesRead);
    if (!part.equals(ZEROS.subarray(0, bytesRead))) await writeAt(copy, part, at);
    at += bytesRead;
  }
  await copy.truncate(at);
}

/** A single write may write less than it was given. */
async function writeAt(file: FileHandle, part: Buffer, at: number): Promise<void> {
  for (let written = 0; written < part.length;)
    written += (await file.write(part, written, part.length - written, at + written)).bytesWritten;
}

const ZEROS = Buffer.alloc(2 ** 20);
