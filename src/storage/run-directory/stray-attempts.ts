import { join } from 'node:path';

import { parseTrialKey } from '../../core/trial.ts';
import { removeTree } from '../../lib/files/remove-tree.ts';
import { guardedWork } from '../guarded.ts';
import { trialDirectoryName, type RunPaths } from './paths.ts';
import { removeIfEmpty } from './remove-if-empty.ts';
import { namesIn } from '../../lib/files/names-in.ts';

/**
 * Removes the files of attempts without an end: their process was killed, and the next attempt
 * uses the same directory. `ended`: number of attempts of each ended trial, by key.
 */
export async function removeStrayAttempts(
  { trials }: RunPaths,
  ended: ReadonlyMap<string, number>,
): Promise<void> {
  const endedIn = byDirectory(ended);
  await guardedWork(trials, async () => {
    for (const trial of namesIn(trials)) {
      const directory = join(trials, trial);
      const stray = namesIn(directory).filter((name) => numberOf(name) > (endedIn.get(trial) ?? 0));
      for (const name of stray) await removeTree(join(directory, name));
      removeIfEmpty(directory);
    }
    removeIfEmpty(trials);
  });
}

function byDirectory(ended: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map(
    [...ended].flatMap(([key, attempts]) => {
      const trial = parseTrialKey(key);
      return trial === undefined ? [] : [[trialDirectoryName(trial), attempts] as const];
    }),
  );
}

/** The number of an attempt's directory. Infinity for any other name. */
function numberOf(name: string): number {
  const number = /^attempt-(\d+)$/.exec(name)?.[1];
  return number === undefined ? Infinity : Number(number);
}
