import { lstatSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Directories of attempts that left nothing behind, kept for attempts to come: to rename one takes a tenth of the time
 * of making and removing it. Whoever closes the log of a run clears what is left.
 */
export interface SpareDirectories {
  /** Puts one at a place that nothing has; tells whether it did. */
  take(attempt: string): boolean;
  /** Takes the directory of an attempt away if it is as it was made; tells whether it did. */
  keep(attempt: string): boolean;
}

/** Of the first attempts of trials, below the folder of all trials. */
export function spareDirectories(trials: string): SpareDirectories {
  const spares: string[] = [];
  let made = 0;
  return {
    take(attempt) {
      const spare = isFirst(attempt) ? spares.pop() : undefined;
      return spare !== undefined && moves(spare, dirname(attempt));
    },
    keep(attempt) {
      const trial = dirname(attempt);
      if (!isFirst(attempt) || !isUntouched(attempt) || readdirSync(trial).length > 1) return false;
      const spare = join(trials, `${SPARE}${made++}`);
      if (!moves(trial, spare)) return false;
      spares.push(spare);
      return true;
    },
  };
}

/** Removes the spare directories below the folder of all trials, also those of a process that was killed. */
export function clearSpares(trials: string): void {
  for (const name of namesIn(trials)) {
    if (!name.startsWith(SPARE)) continue;
    const spare = join(trials, name);
    for (const directory of [join(spare, FIRST), spare]) removes(directory);
  }
}

/** No name of a trial's directory begins like that. */
const SPARE = '.spare-';
const FIRST = 'attempt-1';

function isFirst(attempt: string): boolean {
  return basename(attempt) === FIRST;
}

/** An agent may have removed it, changed its rights, or put something else in its place. */
function isUntouched(directory: string): boolean {
  const status = lstatSync(directory, { throwIfNoEntry: false });
  if (status?.isDirectory() !== true || (status.mode & 0o7777) !== 0o700) return false;
  return readdirSync(directory).length === 0;
}

function moves(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function removes(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // Somebody else has put something into it, or has removed it.
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
