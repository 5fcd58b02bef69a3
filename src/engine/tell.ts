import type { Grade } from '../core/grade.ts';
import type { Fact } from '../core/run.ts';
import type { TrialContext, PlannedTrial } from './trial-context.ts';

/** The owner of a fact: an attempt, or without a number the trial itself. */
export interface Teller {
  readonly context: Pick<TrialContext, 'now' | 'emit'>;
  readonly trial: Pick<PlannedTrial, 'key'>;
  /** Number of the attempt, from 1. */
  readonly number?: number;
}

/** Writes a fact about a trial to the log. */
export function tell({ context, trial, number }: Teller, fact: Fact): void {
  const at = new Date(context.now()).toISOString();
  // Without object spread, because every event passes here and spread objects are slower to serialise.
  context.emit(
    number === undefined ? { at, trial: trial.key, fact } : { at, trial: trial.key, attempt: number, fact },
  );
}

export function tellGrades(teller: Teller, grades: readonly Grade[]): void {
  for (const grade of grades) tell(teller, { type: 'grade', grade });
}
