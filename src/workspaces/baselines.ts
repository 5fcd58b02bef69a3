import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { given } from '../lib/given.ts';
import { once } from './once.ts';
import { createGitStore, type GitStore } from './git-store.ts';
import { treeDelta, treeDigest } from './tree-delta.ts';
import { NOTHING, type Tree } from './scan-tree.ts';

/** A tree in the git store; without a commit: the empty tree. */
export interface Baseline {
  readonly tree: Tree;
  readonly commit?: string;
}

/** The initial trees of attempts. Equal content is imported once per run. */
export interface Baselines extends AsyncDisposable {
  ofTemplate(tree: Tree, directory: string): Promise<Baseline>;
  /** A store for one attempt; it sees the trees of templates. */
  attemptStore(): Promise<AttemptStore>;
}

export interface AttemptStore extends GitStore {
  remove(): Promise<void>;
}

export interface BaselinesOptions {
  freshDirectory(): Promise<string>;
  /** Where git is searched. */
  readonly path: string;
}

export function baselines({ freshDirectory, path }: BaselinesOptions): Baselines {
  const commits = new Map<string, Promise<string>>();
  let made: string | undefined;
  let stores = 0;
  const folder = once(async () => (made = await freshDirectory()));
  const newStore = async (name: string, alternate?: GitStore): Promise<GitStore> => {
    const directory = join(await folder(), name);
    return createGitStore({ directory, path, ...given({ alternate }) });
  };
  const shared = once(() => newStore('templates'));
  const commitTemplate = async (tree: Tree, directory: string): Promise<string> => {
    const store = await shared();
    return store.commit({ parent: undefined, differences: treeDelta(NOTHING, tree), directory }, NEVER);
  };
  return {
    ofTemplate: async (tree, directory) => {
      if (treeDelta(NOTHING, tree).length === 0) return { tree };
      const digest = treeDigest(tree);
      const known = commits.get(digest);
      const commit = known ?? commitTemplate(tree, directory);
      if (known === undefined) {
        commits.set(digest, commit);
        commit.catch(() => commits.delete(digest));
      }
      return { tree, commit: await commit };
    },
    attemptStore: async () => {
      const store = await newStore(`attempt-${++stores}`, await shared());
      return { ...store, remove: () => rm(store.directory, { recursive: true, force: true }) };
    },
    [Symbol.asyncDispose]: async () => {
      if (made !== undefined) await rm(made, { recursive: true, force: true });
    },
  };
}

/** Attempts share the import, so that the end of one does not abort it for the others. */
const NEVER = new AbortController().signal;
