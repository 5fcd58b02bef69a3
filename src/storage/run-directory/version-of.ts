import { statSync } from 'node:fs';

import type { RunPaths } from './paths.ts';

/** A version from sizes and times of the files that readers use. `state` checks whether the process is alive. */
export function versionOf({ manifest, events, rows }: RunPaths): string {
  return JSON.stringify([manifest, events, rows].map(stateOf));
}

/** Of a file that the system refuses, why: reading it says so too. */
function stateOf(file: string): readonly (number | string)[] {
  try {
    const { ino = 0, size = 0, mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    return [ino, size, mtimeMs];
  } catch (error) {
    return [String((error as NodeJS.ErrnoException).code)];
  }
}
