import type { Row } from '../../../core/run.ts';
import { parseTrialKey } from '../../../core/trial.ts';
import type { RowFold } from './run-room.ts';
import type { TrialState } from './write-trials.ts';

/** What a log has come to for its run as a whole. */
export interface RunTotals {
  /** The document of the fold. */
  readonly tally: unknown;
  readonly spentUsd: number;
  readonly reservedUsd: number;
  /** The new state of a running run; the manifest says how it ended. Absent: unchanged. */
  readonly state?: 'running' | 'stopping';
}

/** These totals while events are read. Without a change they stay the same object. */
export function totalsFold(fold: RowFold, before: RunTotals) {
  let totals = before;
  const count = (tally: unknown): void => {
    if (tally !== totals.tally) totals = { ...totals, tally };
  };
  const running = ({ key, startedSequence }: TrialState, sign: 1 | -1): void => {
    const target = parseTrialKey(key)?.target;
    const isRunning = fold.isRunning(totals.tally, startedSequence);
    if (target !== undefined && isRunning === (sign === -1)) count(fold.run(totals.tally, target, sign));
  };
  return {
    now: () => totals,
    change(change: Partial<RunTotals>): void {
      totals = { ...totals, ...change };
    },
    plan(plan: { readonly trialsByTarget?: Readonly<Record<string, number>> } | undefined): void {
      count(fold.plan(totals.tally, plan?.trialsByTarget ?? {}));
    },
    /** No trial is running any more. */
    rest: (sequence: number): void => count(fold.rest(totals.tally, sequence)),
    /** One that had begun and was not abandoned since begins again. */
    begin: (state: TrialState): void => running(state, 1),
    end(state: TrialState, row: Row): void {
      running(state, -1);
      count(fold.add(totals.tally, row));
    },
    /** The end of a trial does not count any more. */
    drop({ row }: TrialState): void {
      if (row !== undefined) count(fold.remove(totals.tally, row));
    },
  };
}
