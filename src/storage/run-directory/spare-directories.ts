import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
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
      if (spare === undefined) return false;
      // What an agent left running may still stand in it.
      if (isUntouched(join(spare, FIRST))) return moves(spare, dirname(attempt));
      removes(spare);
      return false;
    },
    keep(attempt) {
      const trial = dirname(attempt);
      if (!isFirst(attempt) || !isUntouched(attempt) || namesIn(trial).length !== 1) return false;
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
    if (name.startsWith(SPARE)) removes(join(trials, name));
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
  try {
    const status = lstatSync(directory);
    return status.isDirectory() && (status.mode & 0o7777) === 0o700 && readdirSync(directory).length === 0;
  } catch {
    return false;
  }
}

function moves(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/** With what belongs to no attempt: nobody has looked for secrets in it. */
function removes(spare: string): void {
  try {
    rmSync(spare, { recursive: true, force: true });
  } catch {
    // Out of reach, or somebody is just putting something into it.
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
