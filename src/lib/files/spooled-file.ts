import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary file that is removed when it was read. */
export interface SpooledFile {
  readonly bytes: number;
  /** Can be read once. */
  content(): AsyncIterable<Uint8Array>;
}

/** What `write` puts into a file that others do not see. */
export async function spooledFile(write: (file: string) => Promise<void>): Promise<SpooledFile> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-report-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const file = join(folder, 'report');
    await write(file);
    const handle = await open(file);
    const { size } = await handle.stat();
    // The file is deleted while it is open, which some systems delay.
    await remove().catch(() => undefined);
    return { bytes: size, content: () => contentOf(handle, remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function* contentOf(handle: FileHandle, remove: () => Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    yield* handle.createReadStream() as AsyncIterable<Uint8Array>;
  } finally {
    await remove();
  }
}
