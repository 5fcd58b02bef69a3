import { copyFile, lstat, mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { MeasurementError } from '../core/errors.ts';
import { bytePath } from '../lib/files/byte-path.ts';
import { copyTree } from '../lib/files/copy-tree.ts';

const MOST_NAMED = 20;

/** Copies a template into a directory that may contain files. Throws before copying when a file has other content. */
export async function copyInto(template: string, directory: string, signal: AbortSignal): Promise<void> {
  const { missing, different } = await compared(template, directory, '');
  if (different.length > 0) {
    const named = different.slice(0, MOST_NAMED).join(', ');
    const more = different.length > MOST_NAMED ? ` and ${different.length - MOST_NAMED} more` : '';
    throw refused(`files in ${directory} differ from the template: ${named}${more}`);
  }
  for (const path of missing) await copyEntry(join(template, path), join(directory, path), signal);
}

interface Compared {
  /** Relative paths that are missing in the directory; missing folders count as one path. */
  readonly missing: readonly string[];
  readonly different: readonly string[];
}

async function compared(template: string, directory: string, path: string): Promise<Compared> {
  const missing: string[] = [];
  const different: string[] = [];
  for (const name of await readdir(join(template, path))) {
    const below = join(path, name);
    const [ours, theirs] = [join(template, below), join(directory, below)];
    const kind = await kindOf(theirs);
    if (kind === 'nothing') missing.push(below);
    else if (kind !== (await kindOf(ours))) different.push(below);
    else if (kind === 'folder') {
      const inner = await compared(template, directory, below);
      missing.push(...inner.missing);
      different.push(...inner.different);
    } else if (!(await isSame(ours, theirs, kind))) different.push(below);
  }
  return { missing, different };
}

type Kind = 'nothing' | 'folder' | 'link' | 'file';

async function kindOf(path: string): Promise<Kind> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return 'nothing';
  if (found.isSymbolicLink()) return 'link';
  return found.isDirectory() ? 'folder' : 'file';
}

async function isSame(left: string, right: string, kind: Kind): Promise<boolean> {
  if (kind === 'link') return (await readlink(left)) === (await readlink(right));
  return (await readFile(left)).equals(await readFile(right));
}

async function copyEntry(source: string, destination: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const kind = await kindOf(source);
  if (kind === 'folder') {
    await mkdir(destination);
    await copyTree([bytePath(source), bytePath(destination)], signal);
    return;
  }
  if (kind === 'link') await symlink(await readlink(source), destination);
  else await copyFile(source, destination);
}

function refused(message: string): MeasurementError {
  return new MeasurementError(message, {
    stage: 'workspace',
    kind: 'workspace-template',
    hint: 'Nothing was copied. Remove these files, or use mode "isolated".',
  });
}
