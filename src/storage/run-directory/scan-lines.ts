import type { FileHandle } from 'node:fs/promises';

/** Called with a line: its position in `bytes`, a buffer that is reused, and its offset `place` in the file. */
type TakeLine = (bytes: Buffer, line: { start: number; end: number; place: number }) => void;

const CHUNK_BYTES = 1 << 21;
const NEWLINE = 10;

/**
 * Reads the complete lines of a file from an offset. Returns the offset after the last one. The next part is read
 * while the current one is scanned.
 */
export async function scanLines(file: FileHandle, from: number, take: TakeLine): Promise<number> {
  const chunks = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)] as const;
  const line = { start: 0, end: 0, place: 0 };
  let torn: Buffer[] = [];
  let place = from;
  let read = from;
  let reading = file.read(chunks[0], 0, CHUNK_BYTES, read);
  for (let turn = 1; ; turn += 1) {
    const { bytesRead, buffer } = await reading;
    if (bytesRead === 0) return place;
    read += bytesRead;
    reading = file.read(chunks[turn % 2 === 0 ? 0 : 1], 0, CHUNK_BYTES, read);
    // Awaited in the next round, unless a line is refused.
    reading.catch(() => undefined);
    const chunk = buffer.subarray(0, bytesRead);
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      if (torn.length === 0) {
        [line.start, line.end, line.place] = [start, end, place];
        take(chunk, line);
      } else {
        const whole = Buffer.concat([...torn, chunk.subarray(start, end)]);
        torn = [];
        [line.start, line.end, line.place] = [0, whole.length, place];
        take(whole, line);
      }
      place += line.end - line.start + 1;
      start = end + 1;
    }
    if (start < chunk.length) torn.push(Buffer.from(chunk.subarray(start)));
  }
}
