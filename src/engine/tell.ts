import type { Grade } from '../core/grade.ts';
import type { Fact } from '../core/run.ts';
import type { Parts, PlannedTrial } from './parts.ts';

/** Whose fact it is; one without an attempt is the trial's own. */
export interface Teller {
  readonly parts: Pick<Parts, 'now' | 'emit'>;
  readonly trial: Pick<PlannedTrial, 'key'>;
  /** Of the attempt, from 1. */
  readonly number?: number;
}

/** Puts a fact of a trial into the log. */
export function tell({ parts, trial, number }: Teller, fact: Fact): void {
  const at = new Date(parts.now()).toISOString();
  // Written out: every event takes this way, and objects made by a spread are slower to write.
  parts.emit(
    number === undefined ? { at, trial: trial.key, fact } : { at, trial: trial.key, attempt: number, fact },
  );
}

export function tellGrades(teller: Teller, grades: readonly Grade[]): void {
  for (const grade of grades) tell(teller, { type: 'grade', grade });
}
