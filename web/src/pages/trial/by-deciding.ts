import type { Grade } from '../../../../src/core/grade.ts';
import type { Row } from '../../../../src/core/run.ts';
import { gradeWord } from '../../../../src/reading/phrases.ts';

/** Grades that stand open: more of them push the transcript off the first screen. */
const MOST_OPEN = 3;

/** The grades of a trial, the unmet ones first, by what a reader needs. */
export interface SortedGrades {
  /** They say why the trial passed or failed. */
  readonly deciding: readonly Grade[];
  /** They count for the verdict too. */
  readonly more: readonly Grade[];
  /** They are only shown. */
  readonly others: readonly Grade[];
}

/** Undecided grades count for the verdict. If no grade counts, all of them stand as if they did. */
export function byDeciding(row: Row): SortedGrades {
  const grades = row.grades.toSorted(worstFirst(row));
  const counting = grades.filter((grade) => grade.score === null || mayDecide(row, grade));
  const others = counting.length === 0 ? [] : grades.filter((grade) => !counting.includes(grade));
  const shown = counting.length === 0 ? grades : counting;
  return { deciding: shown.slice(0, MOST_OPEN), more: shown.slice(MOST_OPEN), others };
}

/** Whether a grade can decide the verdict. Where every score would do, only required parts can. */
export function mayDecide(
  { threshold }: Pick<Row, 'threshold'>,
  { required, weight }: Pick<Grade, 'required' | 'weight'>,
): boolean {
  return required !== undefined || (weight > 0 && threshold > 0);
}

function worstFirst(row: Row): (left: Grade, right: Grade) => number {
  const words = ['failed (required)', 'not decided', 'failed', 'passed'];
  return (left, right) => words.indexOf(gradeWord(row, left)) - words.indexOf(gradeWord(row, right));
}
