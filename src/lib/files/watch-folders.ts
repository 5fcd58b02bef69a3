import { readdirSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

export interface WatchedFolders extends ChangedPaths, AsyncDisposable {
  /** Whether there are more folders than are watched. */
  readonly isPartial: boolean;
}

interface ChangedPaths {
  /** Paths that changed since the last call, after a moment without changes; undefined when `signal` was aborted. */
  next(signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** Paths that changed since the last call, after a moment without changes; empty if nothing did. */
  settled(): Promise<readonly string[]>;
}

/** More folders are not watched, because each needs a handle of the system. Files of a folder cost nothing. */
const MOST_FOLDERS = 2_000;
/** Editors write a file in several steps, and the system tells of a change a moment later. In milliseconds. */
const QUIET_MS = 40;

/** Watches the folders below a folder, except hidden ones, installed packages and those that `leaves` accepts. */
export function watchFolders(root: string, leaves: (folder: string) => boolean): WatchedFolders {
  const watchers = new Map<string, FSWatcher>();
  const { see, ...changed } = changedPaths();
  let isPartial = false;
  const add = (folder: string): void => {
    if (watchers.has(folder) || leaves(folder)) return;
    if (watchers.size >= MOST_FOLDERS) {
      isPartial = true;
      return;
    }
    try {
      const watcher = watch(folder, { persistent: true }, (event, name) => {
        if (name === null || isLeft(name)) return;
        see(join(folder, name));
        if (event === 'rename') add(join(folder, name));
      });
      watcher.on('error', () => forget(folder));
      watchers.set(folder, watcher);
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory() && !isLeft(entry.name)) add(join(folder, entry.name));
    } catch {
      // It is a file, or it is gone again.
      forget(folder);
    }
  };
  const forget = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  add(root);
  return {
    ...changed,
    get isPartial() {
      return isPartial;
    },
    async [Symbol.asyncDispose]() {
      for (const folder of watchers.keys()) forget(folder);
    },
  };
}

function changedPaths(): ChangedPaths & { readonly see: (path: string) => void } {
  const changed = new Set<string>();
  let wake = (): void => {};
  const quiet = () => new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  const settled = async (): Promise<readonly string[]> => {
    for (let seen = -1; seen !== changed.size;) {
      seen = changed.size;
      await quiet();
    }
    const paths = [...changed];
    changed.clear();
    return paths;
  };
  return {
    see: (path) => {
      changed.add(path);
      wake();
    },
    async next(signal) {
      const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      while (changed.size === 0 && !signal.aborted)
        await Promise.race([ended, new Promise<void>((resolve) => (wake = resolve))]);
      return signal.aborted ? undefined : await settled();
    },
    settled,
  };
}

function isLeft(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules' || name.endsWith('~');
}
