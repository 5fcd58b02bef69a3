import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';

/** A file that is gone, cannot be read, or is no longer what it was when its sha-256 was computed. */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';
}

/** Throws `FileChangedError`. */
export async function sizeOf(file: string): Promise<number> {
  try {
    return (await lstat(file)).size;
  } catch (error) {
    throw changed(file, error);
  }
}

/** Throws `FileChangedError`. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of bytesOf(file)) hash.update(bytes);
  return hash.digest('hex');
}

/** The bytes of a file, in chunks of one size. Throws `FileChangedError`, also after the last one. */
export async function* unchanged(
  file: string,
  {
    sha256,
    size,
    chunkBytes,
  }: { readonly sha256: string; readonly size: number; readonly chunkBytes: number },
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const bytes of bytesOf(file, { highWaterMark: chunkBytes, end: Math.max(0, size - 1) })) {
    hash.update(bytes);
    yield bytes;
  }
  if (hash.digest('hex') !== sha256) throw changed(file);
}

async function* bytesOf(
  file: string,
  options: { readonly highWaterMark?: number; readonly end?: number } = {},
): AsyncGenerator<Buffer> {
  const stream = createReadStream(file, options);
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        throw changed(file, error);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    stream.destroy();
  }
}

function changed(file: string, cause?: unknown): FileChangedError {
  return new FileChangedError(`${file} has changed`, { cause });
}
