import type { RunLog } from '../../../core/log.ts';
import type { Database } from '../database.ts';
import { written } from '../written.ts';
import { fillCopies } from './frozen.ts';
import { fillTrials } from './plan-trials.ts';

/** Writes the rows of trials and copies that wait since a large run began. Throws `results-not-written`. */
export async function fillPlan(database: Database, run: string): Promise<void> {
  await written(database, async () => {
    await fillTrials(database, run);
    await fillCopies(database, run);
  });
}

/** A log that writes nothing before that has happened, because facts are written to the rows of their trials. */
export function afterPlan(log: RunLog, filled: Promise<void> | undefined): RunLog {
  if (filled === undefined) return log;
  return {
    ...log,
    async append(facts) {
      await filled;
      return await log.append(facts);
    },
  };
}
