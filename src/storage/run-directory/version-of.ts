import { statSync } from 'node:fs';

import type { RunPaths } from './paths.ts';

/** A version from sizes and times of the files that readers use. `state` checks whether the process is alive. */
export function versionOf({ manifest, events, rows }: RunPaths): string {
  const states = [manifest, events, rows].map((file) => {
    const { ino = 0, size = 0, mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    return [ino, size, mtimeMs];
  });
  return JSON.stringify(states);
}
