import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';

import type { ContentRedactor } from './redact-content.ts';

/** Whether a file contains secrets, and if so, whether it is text, in which they can be replaced. */
export type Kind = 'clean' | 'secret-text' | 'secret-bytes';

const PIECE_BYTES = 2 ** 20;

/** Reads an open file to its end, in pieces. */
export function kindOfPieces(source: number, redactor: ContentRedactor): Kind {
  const stream = redactor.bytes();
  const [before, after] = [createHash('sha1'), createHash('sha1')];
  const text = textCheck();
  const piece = Buffer.alloc(PIECE_BYTES);
  for (let length = readSync(source, piece); length > 0; length = readSync(source, piece)) {
    const read = piece.subarray(0, length);
    text.push(read);
    before.update(read);
    after.update(stream.push(read));
  }
  after.update(stream.end());
  if (before.digest('hex') === after.digest('hex')) return 'clean';
  return text.isText() ? 'secret-text' : 'secret-bytes';
}

/** Whether content is text. Databases count as binary even if all bytes are valid UTF-8. */
export function isText(content: Uint8Array): boolean {
  const check = textCheck();
  check.push(content);
  return check.isText();
}

interface TextCheck {
  push(bytes: Uint8Array): void;
  /** Whether everything pushed so far is text. */
  isText(): boolean;
}

function textCheck(): TextCheck {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let soFar = true;
  const decode = (bytes?: Uint8Array): void => {
    try {
      if (bytes === undefined) decoder.decode();
      else decoder.decode(bytes, { stream: true });
    } catch {
      soFar = false;
    }
  };
  return {
    push(bytes) {
      if (!soFar) return;
      if (bytes.includes(0)) soFar = false;
      else decode(bytes);
    },
    isText() {
      if (soFar) decode();
      return soFar;
    },
  };
}
