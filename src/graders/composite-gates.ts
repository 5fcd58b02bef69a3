import { MeasurementError } from '../core/errors.ts';
import type { Grade } from '../core/grade.ts';
import { round9 } from '../lib/text/decimals.ts';

/** Members whose score is below their requirement. */
export function fallenGates(grades: readonly Grade[]): readonly Grade[] {
  return grades.filter((grade) => !holds(grade));
}

/** Whether a decided member has no gate or reached it. */
export function holds({ score, required }: Grade): boolean {
  return score === null || required === undefined || score >= round9(required);
}

/** Members that count: those with a weight or, without any, the gates. */
export function countedMembers(grades: readonly Grade[]): readonly Grade[] {
  const decided = grades.filter(({ score }) => score !== null);
  const weighty = decided.filter(({ weight }) => weight > 0);
  const counted = weighty.length > 0 ? weighty : decided.filter(({ required }) => required !== undefined);
  if (counted.length > 0) return counted;
  throw graderError(
    'there is no score: every grader under `assert` has weight 0, and none has `required`',
    'give one of them a weight, or set `required: true`',
  );
}

/** Throws when a member that counts could not be decided. */
export function requireDecided(grades: readonly Grade[]): void {
  const blocking = grades.filter(
    ({ score, weight, required }) => score === null && (weight > 0 || required !== undefined),
  );
  if (blocking.length === 0) return;
  throw graderError(blocking.map(({ name, reason }) => `${name} ${reason}`).join('\n'));
}

function graderError(message: string, hint?: string): MeasurementError {
  return new MeasurementError(message, { stage: 'grading', kind: 'grader', hint });
}
