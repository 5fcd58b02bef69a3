import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes the files and folders of a tar archive of our own below a folder. Throws if it holds anything else. */
export function unpackTar(archive: Buffer, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const made = new Set<string>();
  const make = (path: string, mode: number) => {
    if (made.has(path)) return;
    made.add(path);
    mkdirSync(path, { recursive: true, mode });
  };
  for (let at = 0; at < archive.length && archive[at] !== 0;) {
    const { name, size, mode, type } = headerAt(archive, at);
    const path = join(folder, name);
    const start = at + BLOCK;
    if (start + size > archive.length) throw new Error(`the archive ends within ${name}`);
    if (type === 'folder') {
      make(path, mode);
    } else {
      make(dirname(path), FOLDER_MODE);
      writeFileSync(path, archive.subarray(start, start + size), { mode });
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
}

const BLOCK = 512;
const FOLDER_MODE = 0o700;

interface Header {
  readonly name: string;
  readonly size: number;
  readonly mode: number;
  readonly type: 'file' | 'folder';
}

/** The fields of the `ustar` format. */
function headerAt(archive: Buffer, at: number): Header {
  const field = (from: number, to: number) =>
    archive.toString('utf8', at + from, at + to).replace(/\0.*$/s, '');
  const number = (from: number, to: number) => Number.parseInt(field(from, to), 8);
  const name = [field(345, 500), field(0, 100)].filter((part) => part !== '').join('/');
  const kind = field(156, 157);
  const type = kind === '5' ? 'folder' : kind === '0' || kind === '' ? 'file' : undefined;
  const [size, mode] = [number(124, 136), number(100, 108)];
  if (type === undefined || Number.isNaN(size) || Number.isNaN(mode) || name.split('/').includes('..'))
    throw new Error(`the archive is broken at ${name || `byte ${at}`}`);
  return { name, size, mode, type };
}
