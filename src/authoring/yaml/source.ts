import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { fault, type Fault, type Path } from './fault.ts';

/** A file that was read. */
export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  /** The path as shown to people. */
  readonly shown: string;
  /** Absolute folder for its relative paths. */
  readonly directory: string;
  /** Without a byte order mark. */
  readonly bytes: Buffer;
}

/** A place in a file; line and column from 1. */
export interface Place {
  readonly line: number;
  readonly column?: number;
}

/** A part of a file that can be parsed by itself, to find places in it. */
export interface Fragment {
  /** Path of its file as shown to people. */
  readonly shown: string;
  /** Place of its first character, from 1. */
  readonly line: number;
  /** How positions inside it can be found; lines: only the lines of the fragment. */
  readonly syntax: 'yaml' | 'lines';
  text(): string;
  /** Where the value of a path is written, if that is elsewhere in the fragment. */
  written?(path: Path): Path;
  /** The place of a cell in a row of a table; undefined: only the line is known. */
  cellAt?(path: Path): Place | undefined;
  /** Path of its single item in the file; absent: paths in it start at the top. */
  readonly item?: Path;
}

/** An unchecked entry of `tests`. */
export interface RawTest {
  readonly value: unknown;
  readonly fragment: Fragment;
  /** Path of the value in the fragment. */
  readonly path: Path;
  /** Line from 1, if it is known at no cost. */
  readonly line?: number;
}

/** Reads a file that must contain text. */
export async function readSource(path: string, shown: string): Promise<SourceFile | Fault> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return unreadable(shown, error as NodeJS.ErrnoException);
  }
  return sourceOf(bytes, { path, shown, directory: dirname(path) });
}

/** The same of bytes that were read before. */
export function sourceOf(bytes: Buffer, place: Omit<SourceFile, 'bytes'>): SourceFile | Fault {
  if (bytes.includes(0)) {
    return fault('binary-file', 'the file is not text: it contains NUL bytes', {
      hint: 'save it as UTF-8 text',
    });
  }
  if (!isUtf8(bytes)) return notUtf8(bytes);
  const text = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
  if (isBlank(text)) return fault('empty-file', 'the file is empty', { hint: 'a suite needs `tests`' });
  return { ...place, bytes: text };
}

export function isSource(read: SourceFile | Fault): read is SourceFile {
  return 'bytes' in read;
}

/** The whole file as a fragment. */
export function wholeFile(file: SourceFile): Fragment {
  return { shown: file.shown, line: 1, syntax: 'yaml', text: () => file.bytes.toString('utf8') };
}

function unreadable(shown: string, error: NodeJS.ErrnoException): Fault {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return fault('missing-file', `file not found: ${shown}`);
  if (error.code === 'EISDIR') return fault('not-a-file', `${shown} is a folder`);
  return fault('unreadable-file', `${shown} cannot be read: ${error.message}`);
}

/** Invalid bytes would become U+FFFD, and the agent would get a changed text. */
function notUtf8(bytes: Buffer): Fault {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    if (!isUtf8(bytes.subarray(start, end))) break;
    start = end;
  }
  return fault('not-utf8', `line ${line} is not valid UTF-8`, {
    hint: 'save the file as UTF-8 (in spreadsheets: "CSV UTF-8")',
  });
}

const NEWLINE = 10;

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 13));
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
