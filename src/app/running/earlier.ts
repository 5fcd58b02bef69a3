import { runFold, type RunFold } from '../../reading/run-view.ts';
import type { PlannedTrial } from '../../engine/trial-context.ts';
import { distrustOf, type Distrust } from './distrust.ts';

/** The state of a run after its earlier processes. */
export interface Earlier {
  readonly lastSequence: number;
  /** Ended trials by key: whether they passed. */
  readonly ended: ReadonlyMap<string, boolean>;
  /** Adds the stored number of a trial, and the earlier attempts if it is run again. */
  readonly recall: (trial: PlannedTrial) => PlannedTrial;
  /** Keys of trials whose end no longer counts. */
  readonly dropped: readonly string[];
  /** Whether the plan was made again. */
  readonly isReplanned: boolean;
  /** The fold of all events so far. */
  readonly fold: RunFold;
  /** Knows why the rows so far cannot be trusted. */
  readonly distrust: Distrust;
  /** Whether the run was kept before somebody could execute it. */
  readonly wasQueued?: boolean;
  /** Whether cached answers of the run itself are used, as while watching. */
  readonly usesOwnAnswers?: true;
  /** Restores the rows of trials that should have been run again but have not ended. */
  giveBack?(): void;
}

/** The state of a new run. */
export function nothingEarlier(): Earlier {
  return {
    lastSequence: 0,
    ended: new Map(),
    recall: (trial) => trial,
    dropped: [],
    isReplanned: false,
    fold: runFold(),
    distrust: distrustOf(),
  };
}
