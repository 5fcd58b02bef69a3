import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { AssayError, messageOf } from '../../core/errors.ts';
import { makeDirectory } from '../../lib/files/make-directory.ts';

export interface NewFiles {
  readonly directory: string;
  /** Texts by path. */
  readonly files: ReadonlyMap<string, string>;
  /** How to treat existing files. */
  readonly mode: 'keep' | 'overwrite';
  /** Files that must not exist yet, unless they are to be overwritten. */
  readonly mustBeNew: readonly string[];
}

/** Writes files of a new project. */
export function writeNewFiles({ directory, files, mode, mustBeNew }: NewFiles): void {
  const there = [...new Set(mustBeNew)].filter((name) => existsSync(join(directory, name)));
  if (there.length > 0 && mode === 'keep')
    throw new AssayError('files-there', `${there.join(', ')} would be overwritten`, {
      stage: 'plan',
      hint: 'choose an empty folder, or overwrite with --force',
    });
  for (const [name, content] of files) write(join(directory, name), content);
}

function write(file: string, content: string): void {
  try {
    makeDirectory(dirname(file), 0o777);
    writeFileSync(file, content);
  } catch (error) {
    throw new AssayError('folder-unusable', `${file} cannot be written: ${messageOf(error)}`, {
      stage: 'plan',
      hint: 'name a folder that exists or can be created, and is writable',
      cause: error,
    });
  }
}
