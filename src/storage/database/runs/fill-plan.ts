import type { RunLog } from '../../../core/log.ts';
import type { Database } from '../database.ts';
import { written } from '../written.ts';
import { fillCopies } from './frozen.ts';
import { fillTrials, type PlannedSpec } from './plan-trials.ts';

/** What gives a large run its rows while its trials run. Both throw `results-not-written`. */
export interface PlanFill {
  readonly trials: Promise<void>;
  readonly copies: Promise<void>;
}

/** Writes the rows of trials and copies that wait since a large run began. `spec`: of the run, if it is known. */
export function fillPlan(database: Database, run: string, spec?: PlannedSpec): PlanFill {
  const trials = written(database, () => fillTrials(database, run, spec));
  const copies = written(database, async () => {
    await trials;
    await fillCopies(database, run);
  });
  // Whoever needs them throws their failure.
  trials.catch(() => undefined);
  copies.catch(() => undefined);
  return { trials, copies };
}

/** A log that writes no more once rows of the plan could not be written. */
export function whilePlanFills(log: RunLog, fill: PlanFill | undefined): RunLog {
  if (fill === undefined) return log;
  let failure: { readonly error: unknown } | undefined;
  fill.copies.catch((error: unknown) => (failure = { error }));
  return {
    ...log,
    async append(facts) {
      if (failure !== undefined) throw failure.error;
      return await log.append(facts);
    },
  };
}
