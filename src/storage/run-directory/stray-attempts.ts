import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { guarded } from './append-file.ts';
import type { RunPaths } from './paths.ts';
import { removeIfEmpty } from './remove-if-empty.ts';

/**
 * Removes the files of attempts that no end tells of: their process died, and the attempt that comes in their place
 * has the same directory. `ended`: attempts of each trial that has ended, by the name of its directory.
 */
export function removeStrayAttempts({ trials }: RunPaths, ended: ReadonlyMap<string, number>): void {
  guarded(trials, () => {
    for (const trial of namesIn(trials)) {
      const directory = join(trials, trial);
      const stray = namesIn(directory).filter((name) => numberOf(name) > (ended.get(trial) ?? 0));
      for (const name of stray) rmSync(join(directory, name), { recursive: true, force: true });
      removeIfEmpty(directory);
    }
    removeIfEmpty(trials);
  });
}

/** Infinity for what is no directory of an attempt. */
function numberOf(name: string): number {
  const number = /^attempt-(\d+)$/.exec(name)?.[1];
  return number === undefined ? Infinity : Number(number);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
