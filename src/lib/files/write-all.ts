import { writeSync } from 'node:fs';

/** A single write may write less than it was given. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
}

/** Characters that are put into bytes at once. */
const PIECE = 1 << 18;

/** Writes a large text in pieces, so that text and bytes are never both completely in memory. */
export function writeText(descriptor: number, text: string): void {
  for (let start = 0; start < text.length;) {
    const end = Math.min(text.length, start + PIECE);
    // Both halves of a character belong to one piece.
    const isHalf = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    const next = isHalf ? end + 1 : end;
    writeAll(descriptor, Buffer.from(text.slice(start, next)));
    start = next;
  }
}
