import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { statusAt } from '../../lib/files/file-status.ts';

/** Resolves paths as authors write them, and caches which of them exist. */
export interface FileLookup {
  /** Absolute; a leading `/` means the project root. */
  resolve(written: string, directory: string): string;
  kindOf(absolute: string): 'file' | 'folder' | undefined;
  textOf(absolute: string): string;
  /** The same path relative to a folder: starts with `./` or `../`. */
  fromFolder(absolute: string, directory: string): string;
}

export function createFileLookup(projectRoot: string): FileLookup {
  const known = new Map<string, 'file' | 'folder' | undefined>();
  const texts = new Map<string, string>();
  return {
    resolve: (written, directory) => {
      const path = written.startsWith('file://') ? written.slice('file://'.length) : written;
      return path.startsWith('/') ? join(projectRoot, path) : resolve(directory, path);
    },
    kindOf(absolute) {
      if (!known.has(absolute)) known.set(absolute, kindNow(absolute));
      return known.get(absolute);
    },
    textOf(absolute) {
      const text = texts.get(absolute) ?? readFileSync(absolute, 'utf8');
      texts.set(absolute, text);
      return text;
    },
    fromFolder(absolute, directory) {
      const path = relative(directory, absolute).replaceAll('\\', '/');
      return path.startsWith('../') ? path : `./${path}`;
    },
  };
}

/** A hint for a path that does not exist. */
export function pathHint(written: string): { readonly hint: string } {
  return { hint: 'write a path relative to this file', ...rootHint(written) };
}

/** A hint for an absolute path that does not exist. */
export function rootHint(written: string): { readonly hint?: string } {
  if (!/^(?:file:\/\/)?\//.test(written)) return {};
  return {
    hint: 'a leading `/` means the project root: write a path from there, or a path relative to this file',
  };
}

function kindNow(absolute: string): 'file' | 'folder' | undefined {
  const found = statusAt(absolute);
  if (found === undefined) return undefined;
  return found.isDirectory() ? 'folder' : 'file';
}
