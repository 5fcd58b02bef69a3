import { mkdirSync, rmdirSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { messageOf } from '../../core/errors.ts';
import { removeTree } from '../../lib/files/remove-tree.ts';
import { temporaryFolderSync } from '../../lib/files/temporary-folder.ts';
import { unavailable } from '../target-errors.ts';
import type { AgentAdapter } from './adapter.ts';
import { foldersOfHome, type PrivateFolders } from './environment.ts';
import { given } from '../../lib/given.ts';

/** The folders of one attempt; disposing removes them. */
export interface PrivateHome extends AsyncDisposable {
  readonly folders: PrivateFolders;
}

export interface HomeRequest {
  readonly adapter: Pick<AgentAdapter, 'isolation' | 'homeFiles' | 'boundToHome'>;
  /** `files` of the config. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly cache?: string | undefined;
  /** Absolute: a home of an earlier session to copy first. */
  readonly state?: string | undefined;
}

/**
 * Creates an empty home that only its owner can enter, outside workspace and artifacts, with a neutral name. The
 * scratch folder is created when it is needed, because creating and removing folders is slow with ten attempts at once.
 */
export async function privateHome({ adapter, files, cache, state }: HomeRequest): Promise<PrivateHome> {
  const root = newRoot();
  const folders = { home: join(root, 'home'), temporary: join(root, 'tmp'), scratch: join(root, 'out') };
  try {
    for (const folder of [folders.home, folders.temporary]) mkdirSync(folder, { mode: 0o700 });
    if (state !== undefined) {
      const filter = (path: string) => adapter.boundToHome?.test(relative(state, path)) !== true;
      await cp(state, folders.home, { recursive: true, filter });
    }
    for (const folder of foldersOfHome(adapter)) {
      mkdirSync(join(folders.home, folder), { recursive: true, mode: 0o700 });
    }
    for (const [path, text] of Object.entries({ ...adapter.homeFiles, ...files })) {
      await writeBelow(folders.home, path, text);
    }
  } catch (error) {
    await removeTree(root).catch(() => {});
    throw error;
  }
  return {
    folders: { ...folders, ...given({ cache }) },
    async [Symbol.asyncDispose]() {
      if (!removedEmpty(root, adapter)) await removeTree(root).catch(() => {});
    },
  };
}

/** Synchronous calls for small steps take a fraction of the time. */
function newRoot(): string {
  try {
    return temporaryFolderSync('h');
  } catch (error) {
    throw unavailable(`could not create a private home for the agent: ${messageOf(error)}`, {
      detail: 'private-home',
      hint: 'free some space in the temporary directory, or set TMPDIR to another one',
      cause: error,
    });
  }
}

/** Removes it if the agent has put nothing into it, and returns whether it is gone. */
function removedEmpty(root: string, adapter: HomeRequest['adapter']): boolean {
  const made = foldersOfHome(adapter).flatMap((folder) => withParents(folder));
  const inHome = [...new Set(made)].toSorted((a, b) => b.length - a.length).map((path) => join('home', path));
  try {
    for (const path of [...inHome, 'home', 'tmp', '.']) rmdirSync(join(root, path));
    return true;
  } catch {
    return false;
  }
}

/** For `a/b`: `a/b`, `a`. */
function withParents(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === '.' ? [folder] : [folder, ...withParents(parent)];
}

export function staysBelow(path: string): boolean {
  const below = relative('/home', join('/home', path));
  return below !== '' && !below.startsWith('..');
}

/** Writes a file that only its owner can read, and creates its folders. */
export async function writeBelow(home: string, path: string, text: string): Promise<void> {
  const file = join(home, path);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, text, { mode: 0o600 });
}
