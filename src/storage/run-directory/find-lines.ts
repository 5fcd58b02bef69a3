import { open, type FileHandle } from 'node:fs/promises';

import { smallFile } from './read-lines.ts';

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 10;

/**
 * The complete lines of a file that contain any of the marks, in order. About as fast as reading the file,
 * because other lines are not parsed. A missing file has no lines.
 */
export async function* linesWith(path: string, marks: readonly string[]): AsyncGenerator<Buffer> {
  const sought = marks.map((mark) => Buffer.from(mark));
  const small = smallFile(path);
  if (small !== undefined) return yield* linesIn(small.subarray(0, small.lastIndexOf(NEWLINE) + 1), sought);
  const file = await opened(path);
  if (file === undefined) return;
  try {
    let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let held = 0;
    for (;;) {
      if (held === chunk.length) chunk = Buffer.concat([chunk], chunk.length * 2);
      const { bytesRead } = await file.read(chunk, held, chunk.length - held);
      if (bytesRead === 0) return;
      const filled = chunk.subarray(0, held + bytesRead);
      const end = filled.lastIndexOf(NEWLINE) + 1;
      yield* linesIn(filled.subarray(0, end), sought);
      held = filled.copy(chunk, 0, end);
    }
  } finally {
    await file.close();
  }
}

async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Copies of the lines, because the buffer is reused. */
function* linesIn(text: Buffer, marks: readonly Buffer[]): Generator<Buffer> {
  const nexts = marks.map((mark) => text.indexOf(mark));
  for (let start = 0; ;) {
    let found = text.length;
    for (const [index, mark] of marks.entries()) {
      if ((nexts[index] as number) >= 0 && (nexts[index] as number) < start)
        nexts[index] = text.indexOf(mark, start);
      if ((nexts[index] as number) >= 0) found = Math.min(found, nexts[index] as number);
    }
    if (found === text.length) return;
    const end = text.indexOf(NEWLINE, found);
    yield Buffer.from(text.subarray(text.lastIndexOf(NEWLINE, found) + 1, end));
    start = end + 1;
  }
}
