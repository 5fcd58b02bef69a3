import type { Grade } from '../../../../src/core/grade.ts';
import { decides } from '../../../../src/reading/phrases.ts';

/**
 * The grades that count for the verdict of a trial, and those that are only shown. The first ones include undecided
 * grades, and all grades if none of them counts.
 */
export function byDeciding(grades: readonly Grade[]) {
  const isShown = (grade: Grade) => decides(grade) || grade.score === null;
  if (!grades.some(isShown)) return { deciding: grades, others: [] };
  return {
    deciding: grades.filter(isShown),
    others: grades.filter((grade) => !isShown(grade)),
  };
}
