import { runFold, type RunFold } from '../../reading/run-view.ts';
import type { PlannedTrial } from '../../engine/parts.ts';

/** What earlier processes of a run left behind. */
export interface Earlier {
  readonly lastSequence: number;
  /** Trials that have ended, and whether they passed. */
  readonly ended: ReadonlyMap<string, boolean>;
  /** Adds the number that a trial has, and the attempts of one that is run again. */
  readonly recall: (trial: PlannedTrial) => PlannedTrial;
  /** Keys of trials whose ends are void now. */
  readonly dropped: readonly string[];
  /** Whether the plan is another one than it was. */
  readonly isReplanned: boolean;
  /** The fold of all events so far. */
  readonly fold: RunFold;
}

/** Of a run that is new. */
export function nothingEarlier(): Earlier {
  return {
    lastSequence: 0,
    ended: new Map(),
    recall: (trial) => trial,
    dropped: [],
    isReplanned: false,
    fold: runFold(),
  };
}
