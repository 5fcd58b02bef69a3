import { readSync } from 'node:fs';

import type { Redactor } from '../../lib/redact/redact.ts';

/** Removes secrets from text and from bytes. */
export type ContentRedactor = Pick<Redactor, 'text' | 'bytes'>;

/** The content of a file without secrets. */
export function redactContent(content: string | Uint8Array, redactor: ContentRedactor): string | Uint8Array {
  if (typeof content === 'string') return redactor.text(content);
  // ASCII in UTF-16 is also valid UTF-8, with a NUL after each character.
  const bytes = content.includes(0) ? redactedBytes(content, redactor) : content;
  const text = textIn(bytes);
  if (text !== undefined) return redactor.text(text);
  return bytes === content ? redactedBytes(content, redactor) : bytes;
}

function redactedBytes(content: Uint8Array, redactor: ContentRedactor): Uint8Array {
  const stream = redactor.bytes();
  return Buffer.concat([stream.push(content), stream.end()]);
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

const PIECE_BYTES = 2 ** 20;

/** The content of an open file without secrets, in pieces. */
export function* redactedPieces(source: number, redactor: ContentRedactor): Generator<Uint8Array> {
  const stream = redactor.bytes();
  const piece = Buffer.alloc(PIECE_BYTES);
  for (;;) {
    const length = readSync(source, piece);
    yield length === 0 ? stream.end() : stream.push(piece.subarray(0, length));
    if (length === 0) return;
  }
}
