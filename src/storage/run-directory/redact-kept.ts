import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  type Stats,
} from 'node:fs';
import { inflateSync } from 'node:zlib';

import { breather, type Breathe } from '../../lib/time/breather.ts';
import { writeAll } from './append-file.ts';
import { isText, kindOfPieces, type Kind } from './kind-of-content.ts';
import { redactContent, redactedPieces, type ContentRedactor } from './redact-content.ts';
import { replaceFile } from './replace-file.ts';

/** Paths relative to a directory that is kept. */
export interface KeptRedaction {
  /** Removed: a secret stands where it cannot be replaced, such as in what is no text. */
  readonly leftOut: readonly string[];
  /** Files that hold marks now where they held secrets. */
  readonly replaced: readonly string[];
  /** Of another user, or otherwise out of reach: nobody knows what they hold. */
  readonly unread: readonly string[];
}

/**
 * Takes secrets out of a directory that an agent worked in, before it is kept. Only files that hold one are replaced,
 * and keep their modes and times; links are not followed, and other names of a file elsewhere keep what it held.
 */
export async function redactKept(directory: string, redactor: ContentRedactor): Promise<KeptRedaction> {
  const search: Search = { redactor, breathe: breather(), leftOut: [], replaced: [], unread: [] };
  await visitFolder(Buffer.from(directory), '', search);
  const { leftOut, replaced, unread } = search;
  return { leftOut, replaced, unread };
}

interface Search {
  readonly redactor: ContentRedactor;
  readonly breathe: Breathe;
  readonly leftOut: string[];
  readonly replaced: string[];
  readonly unread: string[];
}

/** Names are bytes: those that an agent gives need not be UTF-8. */
async function visitFolder(folder: Buffer, prefix: string, search: Search): Promise<void> {
  const before = lstatSync(folder);
  const close = opened(folder, before, 0o700);
  try {
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      await search.breathe();
      const path = `${prefix}${name.toString()}`;
      try {
        await visitEntry(Buffer.concat([folder, SLASH, name]), path, search);
      } catch (error) {
        if (!OUT_OF_REACH.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        search.unread.push(path);
      }
    }
    if (lstatSync(folder).mtimeMs !== before.mtimeMs) utimesSync(folder, before.atime, before.mtime);
  } finally {
    close();
  }
}

const SLASH = Buffer.from('/');

const OUT_OF_REACH: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ENOENT', 'EIO']);

async function visitEntry(place: Buffer, path: string, search: Search): Promise<void> {
  const { redactor } = search;
  const status = lstatSync(place);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const told = status.isSymbolicLink() ? `${name}\n${readlinkSync(place)}` : name;
  if (redactor.text(told) !== told) {
    rmSync(place, { recursive: true });
    search.leftOut.push(path);
  } else if (status.isDirectory()) {
    await visitFolder(place, `${path}/`, search);
  } else if (status.isFile()) {
    const end = await cleaned(place, { path, status }, search);
    if (end !== 'untouched') search[end].push(path);
  }
}

interface Found {
  readonly path: string;
  readonly status: Stats;
}

type Cleaned = 'untouched' | 'replaced' | 'leftOut';

async function cleaned(place: Buffer, { path, status }: Found, search: Search): Promise<Cleaned> {
  const close = opened(place, status, 0o400);
  try {
    const { kind, write } = await looked(place, status, search);
    if (kind === 'secret-bytes' || hidesInObject(place, path, search.redactor)) {
      rmSync(place);
      return 'leftOut';
    }
    if (kind === 'clean') return 'untouched';
    await replaceFile(place, status, write);
    return 'replaced';
  } finally {
    close();
  }
}

/** What a file holds, and how it is written without its secrets. */
interface Looked {
  readonly kind: Kind;
  readonly write: (descriptor: number) => Promise<void>;
}

/** Files above this many bytes are read piece by piece. */
const LARGEST_BYTES = 8 * 2 ** 20;

async function looked(place: Buffer, { size }: Stats, { redactor, breathe }: Search): Promise<Looked> {
  if (size > LARGEST_BYTES) {
    return {
      kind: await reading(place, (source) => kindOfPieces(source, redactor, breathe)),
      write: (target) =>
        reading(place, async (source) => {
          for (const piece of redactedPieces(source, redactor)) {
            writeAll(target, piece);
            await breathe();
          }
        }),
    };
  }
  const content = readFileSync(place);
  const clean = Buffer.from(redactContent(content, redactor));
  const dirty: Kind = isText(content) ? 'secret-text' : 'secret-bytes';
  return { kind: clean.equals(content) ? 'clean' : dirty, write: async (target) => writeAll(target, clean) };
}

async function reading<T>(place: Buffer, read: (source: number) => Promise<T>): Promise<T> {
  const source = openSync(place, 'r');
  try {
    return await read(source);
  } finally {
    closeSync(source);
  }
}

/** An object that git keeps by itself: two digits of its id, then the others. */
const LOOSE_OBJECT = /(?:^|\/)objects\/[0-9a-f]{2}\/[0-9a-f]{38}(?:[0-9a-f]{24})?$/;

/** Larger ones count as if they held a secret: they were not looked at. */
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

/** An agent may close its own files and folders; gives what closes this one again. */
function opened(place: Buffer, { mode }: Stats, permission: number): () => void {
  if ((mode & permission) === permission) return () => {};
  chmodSync(place, (mode & 0o7777) | permission);
  return () => {
    if (existsSync(place)) chmodSync(place, mode & 0o7777);
  };
}
