import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { lstat, mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import { messageOf } from '../core/errors.ts';
import { removeTree } from '../lib/files/remove-tree.ts';
import { given } from '../lib/given.ts';
import { bytePath, onDisk, type BytePath } from '../lib/files/byte-path.ts';
import { copyTree } from '../lib/files/copy-tree.ts';
import { writeRedactedPaths } from './redacted-paths.ts';
import { isDirectory } from './scan-tree.ts';
import { inWorkTime } from './work-time.ts';

/** The final place of a directory, and a warning for people. */
export interface PutAway {
  readonly keptAt?: string;
  readonly warning?: string;
}

/** A directory after secrets were removed. */
export interface CleanedDirectory {
  /** A warning for people. */
  readonly warnings: readonly string[];
  /** Paths in it that differ from what the agent left, or are missing. */
  readonly redacted: readonly string[];
}

/** Where a directory is kept, and the function that removes secrets before. */
export interface Keeping {
  readonly destination: string;
  clean(directory: string): Promise<CleanedDirectory>;
}

/** Moves the directory to its final place. When that fails, it stays and the warning names its place. */
export async function keepDirectory(directory: string, { destination, clean }: Keeping): Promise<PutAway> {
  let cleaned: CleanedDirectory;
  try {
    if (!isDirectory(bytePath(directory))) {
      await rm(directory, { force: true });
      return { warning: 'the workspace was not kept, because the agent replaced or removed it' };
    }
    cleaned = await clean(directory);
  } catch (error) {
    const why = `secrets could not be removed from it: ${messageOf(error)}`;
    return {
      warning: `the workspace was not kept, because ${why}; it is still at ${directory}, with secrets`,
    };
  }
  const { keptAt, warning } = await moveTo(destination, directory, cleaned);
  const warnings = [...cleaned.warnings, ...(warning === undefined ? [] : [warning])];
  return {
    ...given({ keptAt }),
    ...(warnings.length === 0 ? {} : { warning: warnings.join('; ') }),
  };
}

async function moveTo(
  destination: string,
  directory: string,
  { redacted }: CleanedDirectory,
): Promise<PutAway> {
  try {
    await mkdir(dirname(destination), { recursive: true, mode: 0o700 });
    const place = await freeName(destination);
    writeRedactedPaths(place, redacted);
    return { keptAt: await moveDirectory(directory, place) };
  } catch (error) {
    return {
      ...(redacted.length === 0 ? { keptAt: directory } : {}),
      warning: `the workspace could not be moved to ${destination} and stays at ${directory}: ${messageOf(error)}`,
    };
  }
}

/** Removes the directory with all its content, even without write permissions. */
export async function removeDirectory(directory: string): Promise<PutAway> {
  try {
    await inWorkTime('removing it', NEVER, () => removeTree(directory));
    return {};
  } catch (error) {
    return {
      keptAt: directory,
      warning: `the workspace could not be removed and stays at ${directory}: ${messageOf(error)}`,
    };
  }
}

/** A cancelled run still waits until everything is cleaned up. */
const NEVER = new AbortController().signal;

async function moveDirectory(directory: string, destination: string): Promise<string> {
  try {
    await rename(directory, destination);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await moveByCopy(directory, destination);
  }
  return destination;
}

/** For a destination on another device. */
export async function moveByCopy(directory: string, destination: string): Promise<void> {
  openFolders(bytePath(directory));
  mkdirSync(destination, { mode: 0o700 });
  try {
    await copyTree([bytePath(directory), bytePath(destination)], NEVER);
  } catch (error) {
    await removeDirectory(destination);
    throw error;
  }
  await removeDirectory(directory);
}

/** Files that were kept before are never changed. */
async function freeName(destination: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? destination : `${destination}-${number}`;
    const isTaken = await lstat(name).then(
      () => true,
      () => false,
    );
    if (!isTaken) return name;
  }
}

function openFolders(folder: BytePath): void {
  const status = lstatSync(onDisk(folder));
  if ((status.mode & 0o700) !== 0o700) chmodSync(onDisk(folder), (status.mode & 0o7777) | 0o700);
  for (const entry of readdirSync(onDisk(folder), { encoding: 'latin1', withFileTypes: true })) {
    const place = `${folder}/${entry.name}`;
    if (entry.isDirectory()) openFolders(place);
    else if (entry.isFile()) openFile(place);
  }
}

function openFile(place: BytePath): void {
  const { mode } = lstatSync(onDisk(place));
  if ((mode & 0o400) === 0) chmodSync(onDisk(place), (mode & 0o7777) | 0o400);
}
