import type { Database } from '../database.ts';

/** Trials between two clearings. */
const TIDIED_EVERY = 2000;

/**
 * Clears old versions of rows away after so many trials; call it with the number of trials that were handed out. Each
 * trial leaves some versions of its row and of the row of its run. PostgreSQL itself clears them away only once a
 * minute, and a worker that takes a trial reads all versions. The clearing runs in the background.
 */
export function tidyQueue({ script }: Pick<Database, 'script'>): (trials: number) => void {
  let handedOut = 0;
  return (trials) => {
    handedOut += trials;
    if (handedOut < TIDIED_EVERY) return;
    handedOut = 0;
    // If it fails, PostgreSQL does it later.
    void script(VACUUM).catch(() => undefined);
  };
}

/** Takes no lock that others would wait for. */
const VACUUM = 'vacuum (skip_locked, truncate false, process_toast false) handed_trial, run';
