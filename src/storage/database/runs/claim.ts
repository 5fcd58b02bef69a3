import type { ClaimedRun } from '../../../core/run-store.ts';
import { trialKey } from '../../../core/trial.ts';
import { removeStrayAttempts } from '../../run-directory/stray-attempts.ts';
import { written } from '../written.ts';
import { hasHandedTrials, takeBack } from '../queue/handed-trials.ts';
import { dropStrayArtifacts } from './artifacts.ts';
import { fillPlan } from './fill-plan.ts';
import { takeLease, type Lease } from './lease.ts';
import { openRun } from './open-run.ts';
import { endedRows, rowsOf, type VoidEnds } from './read-rows.ts';
import type { RunPlace } from './run-room.ts';
import { storedRun } from './stored-run.ts';

/** Claims a run for this process. Copies that wait get their rows later. Throws `run-in-use`. */
export async function claimRun(place: RunPlace): Promise<ClaimedRun> {
  const lease = await takeLease(place.database, place.id);
  try {
    await fillPlan(place.database, place.id).trials;
  } catch (error) {
    await lease.release();
    throw error;
  }
  return claimedRun(place, lease);
}

/** A run whose lease this process has. Which of its rows count is known here alone until the log tells it. */
export function claimedRun(place: RunPlace, lease: Lease): ClaimedRun {
  const voidEnds = new Map<string, number>();
  let known = Infinity;
  return {
    get stored() {
      return storedRun(place, voidEnds);
    },
    takeBack: () => takeBack({ ...place, lease: lease.id }),
    loggedRows: () => rowsOf(place, NONE),
    async keepRows(keep, upTo = Infinity) {
      voidEnds.clear();
      known = upTo;
      for await (const { row, key, ended } of endedRows(place))
        if (ended <= upTo && !keep(row)) voidEnds.set(key, ended);
    },
    addRows(rows) {
      for (const row of rows) voidEnds.delete(trialKey(row));
    },
    async dropStrayAttempts(ended) {
      // Workers on this machine may be writing theirs.
      if (!(await hasHandedTrials(place))) await removeStrayAttempts(place.paths, ended);
      await written(place.database, () => dropStrayArtifacts(place, ended, { lease: lease.id, upTo: known }));
    },
    open: (manifest, redactor) => openRun(place, { manifest, redactor, lease, voidEnds }),
    release: lease.release,
  };
}

const NONE: VoidEnds = new Map();
