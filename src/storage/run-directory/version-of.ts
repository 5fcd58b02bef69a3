import { statSync } from 'node:fs';

import type { RunPaths } from './paths.ts';

/** Sizes and times of the files that readers look into; whether its process is alive is asked by `state`. */
export function versionOf({ manifest, events, rows }: RunPaths): string {
  const states = [manifest, events, rows].map((file) => {
    const { ino = 0, size = 0, mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    return [ino, size, mtimeMs];
  });
  return JSON.stringify(states);
}
