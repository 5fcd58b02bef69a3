import { closeSync, openSync, readFileSync, type Stats } from 'node:fs';
import { inflateSync } from 'node:zlib';

import { writeAll } from '../../lib/files/write-all.ts';
import { isText, kindOfPieces, type Kind } from './kind-of-content.ts';
import { redactContent, redactedPieces, type ContentRedactor } from './redact-content.ts';
import { replaceFile } from './replace-file.ts';

/** A file to search for secrets. */
export interface CleanedFile {
  /** Path for people, with `/` as separator. */
  readonly path: string;
  readonly status: Stats;
  /** Mode of the replacement. */
  readonly mode: number;
  /** How to treat a binary file with a secret. */
  readonly binary: 'marked' | 'left-out';
}

/** Cleans a file. `left-out`: the secret cannot be removed from it, and the file still exists. */
export function cleanFile(
  place: Buffer,
  { path, status, mode, binary }: CleanedFile,
  redactor: ContentRedactor,
): 'untouched' | 'replaced' | 'left-out' {
  const { kind, write } = looked(place, status, redactor);
  if (hidesInObject(place, path, redactor)) return 'left-out';
  if (kind === 'clean') return 'untouched';
  if (kind === 'secret-bytes' && binary === 'left-out') return 'left-out';
  const { atime, mtime } = status;
  replaceFile(place, { mode, atime, mtime }, write);
  return 'replaced';
}

/** The kind of content of a file, and a function that writes it without secrets. */
interface Looked {
  readonly kind: Kind;
  readonly write: (descriptor: number) => void;
}

/** Larger files (in bytes) are read in pieces. */
const LARGEST_BYTES = 8 * 2 ** 20;

function looked(place: Buffer, { size }: Stats, redactor: ContentRedactor): Looked {
  if (size > LARGEST_BYTES) {
    return {
      kind: reading(place, (source) => kindOfPieces(source, redactor)),
      write: (target) =>
        reading(place, (source) => {
          for (const piece of redactedPieces(source, redactor)) writeAll(target, piece);
        }),
    };
  }
  const content = readFileSync(place);
  const clean = Buffer.from(redactContent(content, redactor));
  const dirty: Kind = isText(content) ? 'secret-text' : 'secret-bytes';
  return { kind: clean.equals(content) ? 'clean' : dirty, write: (target) => writeAll(target, clean) };
}

function reading<T>(place: Buffer, read: (source: number) => T): T {
  const source = openSync(place, 'r');
  try {
    return read(source);
  } finally {
    closeSync(source);
  }
}

/** Path of a loose git object: two digits of its id, then the others. */
const LOOSE_OBJECT = /(?:^|\/)objects\/[0-9a-f]{2}\/[0-9a-f]{38}(?:[0-9a-f]{24})?$/;

/** Larger objects (in bytes) are not searched, and are treated as if they contained a secret. */
const LARGEST_OBJECT_BYTES = 64 * 2 ** 20;

function hidesInObject(place: Buffer, path: string, redactor: ContentRedactor): boolean {
  if (!LOOSE_OBJECT.test(path)) return false;
  let content: Buffer;
  try {
    content = inflateSync(readFileSync(place), { maxOutputLength: LARGEST_OBJECT_BYTES });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
  }
  const stream = redactor.bytes();
  return !Buffer.concat([stream.push(content), stream.end()]).equals(content);
}
