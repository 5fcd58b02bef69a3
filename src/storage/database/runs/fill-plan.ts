import { setTimeout as pause } from 'node:timers/promises';

import type { RunLog } from '../../../core/log.ts';
import type { Database } from '../database.ts';
import { written } from '../written.ts';
import { fillCopies } from './frozen.ts';
import { fillTrials, type PlannedSpec } from './plan-trials.ts';

/** What gives a large run its rows while its trials run. */
export interface PlanFill {
  /** Throws `results-not-written`. */
  readonly trials: Promise<void>;
  /** Whether all copies have their rows. The others wait for their readers. */
  readonly copies: Promise<boolean>;
}

/** Writes the rows of trials and copies that wait since a large run began. `spec`: of the run, if it is known. */
export function fillPlan(database: Database, run: string, spec?: PlannedSpec): PlanFill {
  const trials = written(database, () => fillTrials(database, run, spec));
  const copies = trials.then(
    () => copiesFilled(database, run),
    () => false,
  );
  // The caller that awaits them gets the error.
  trials.catch(() => undefined);
  return { trials, copies };
}

/** Pauses before copies are tried again, in milliseconds. A database that restarts is back by then. */
const TRIED_AGAIN_MS = [1000, 10_000];

/** Nothing is lost if they cannot be written: they still wait, and their readers write them first. */
async function copiesFilled(database: Database, run: string): Promise<boolean> {
  for (const ms of [0, ...TRIED_AGAIN_MS]) {
    // The program may end in the meantime.
    if (ms > 0) await pause(ms, undefined, { ref: false });
    try {
      await fillCopies(database, run);
      return true;
    } catch {
      continue;
    }
  }
  return false;
}

/** A log that writes no more once rows of trials could not be written. */
export function whilePlanFills(log: RunLog, fill: PlanFill | undefined): RunLog {
  if (fill === undefined) return log;
  let failure: { readonly error: unknown } | undefined;
  fill.trials.catch((error: unknown) => (failure = { error }));
  return {
    ...log,
    async append(facts) {
      if (failure !== undefined) throw failure.error;
      return await log.append(facts);
    },
  };
}
