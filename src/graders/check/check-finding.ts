import { MeasurementError } from '../../core/errors.ts';
import type { Finding } from '../../core/grade.ts';
import { answerShown, quoted } from '../excerpt.ts';
import type { CheckSaid } from './check-answer.ts';

/** The finding of a check. Throws when the check itself is broken. */
export function checkFinding(
  said: CheckSaid,
  { value, answer }: Record<'value' | 'answer', string>,
): Finding {
  if ('fault' in said) throw new MeasurementError(said.fault, { stage: 'grading', kind: 'grader' });
  const { reason, ...rest } = said;
  if (reason !== undefined && reason.trim() !== '') return { ...rest, reason };
  const check = checkFile(value) ?? quoted(value.trim(), 160);
  if (said.passed ?? said.score === 1) return { ...rest, reason: `the check holds: ${check}` };
  const what = said.score === 0 ? 'the check does not hold' : `the check returned ${said.score}`;
  return { ...rest, reason: `${what}: ${check}; ${answerShown(answer)}` };
}

/** The path in `file://PATH`. Undefined for a check in a text. */
export function checkFile(value: string): string | undefined {
  const line = value.trim();
  return line.startsWith('file://') && !line.includes('\n') ? line.slice('file://'.length) : undefined;
}
