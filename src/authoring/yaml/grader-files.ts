import { isObject, type JsonObject } from '../../lib/json.ts';
import { fault, type Fault, type Path } from './fault.ts';
import { type FileLookup, pathHint } from './file-lookup.ts';

interface Naming {
  readonly config: JsonObject;
  /** Absolute folder of the file that names them. */
  readonly directory: string;
  readonly files: FileLookup;
  /** Whether a path may be a folder. */
  readonly takesFolders?: true | undefined;
  readonly tell: (found: Fault) => void;
  /** Checks the content of a file, whose path is absolute. */
  readonly faultsIn?: (content: string, path: string) => readonly string[];
}

/** Checks that files exist. In the result, paths from the project root are relative to the folder. */
export function graderFiles(written: readonly string[], naming: Naming): JsonObject {
  return written.reduce((config, path) => withFile(path, { ...naming, config }), naming.config);
}

function withFile(
  written: string,
  { config, directory, files, takesFolders, tell, faultsIn }: Naming,
): JsonObject {
  const absolute = files.resolve(written, directory);
  const kind = files.kindOf(absolute);
  if (kind === 'file' || (takesFolders === true && kind === 'folder')) {
    for (const message of faultsIn === undefined ? [] : faultsIn(files.textOf(absolute), absolute)) {
      tell(fault('invalid-value', `${written}: ${message}`, { path: pathTo(config, written) ?? [] }));
    }
    if (!written.startsWith('/')) return config;
    return replaced(config, written, files.fromFolder(absolute, directory)) as JsonObject;
  }
  // An argument of a program may be an absolute path of the machine.
  if (written.startsWith('/') && files.kindOf(written) === 'file') return config;
  const path = pathTo(config, written) ?? [];
  const isFolder = kind === 'folder';
  tell(
    isFolder
      ? fault('missing-file', `${written} is a folder`, { path })
      : fault('missing-file', `file not found: ${written}`, { path, ...pathHint(written) }),
  );
  return config;
}

function names(value: unknown, written: string): boolean {
  return typeof value === 'string' && (value.trim() === written || value.trim() === `file://${written}`);
}

function replaced(value: unknown, written: string, path: string): unknown {
  if (names(value, written)) return path;
  if (Array.isArray(value)) return value.map((item) => replaced(item, written, path));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, replaced(member, written, path)]),
  );
}

function pathTo(value: unknown, written: string): Path | undefined {
  if (names(value, written)) return [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const inner = pathTo(member, written);
    if (inner !== undefined) return [Array.isArray(value) ? Number(key) : key, ...inner];
  }
  return undefined;
}
