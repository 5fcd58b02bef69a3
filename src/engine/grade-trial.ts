import { erroredGrade, gradeOf, type Grade, type Subject } from '../core/grade.ts';
import type { Expectation } from '../core/test-case.ts';
import type { Parts } from './parts.ts';

/** Decides every expectation of a case side by side; grades keep the written order. Never rejects. */
export async function gradeTrial(
  subject: Subject,
  parts: Pick<Parts, 'graderFor' | 'graderDigest'>,
  signal: AbortSignal,
): Promise<readonly Grade[]> {
  const grades = await Promise.all(
    subject.case.expectations.map((expectation) => gradeExpectation(expectation, { subject, parts, signal })),
  );
  return grades.flat();
}

interface Grading {
  readonly subject: Subject;
  readonly parts: Pick<Parts, 'graderFor' | 'graderDigest'>;
  readonly signal: AbortSignal;
}

async function gradeExpectation(expectation: Expectation, grading: Grading): Promise<readonly Grade[]> {
  const { subject, parts, signal } = grading;
  const startedAt = performance.now();
  const digest = parts.graderDigest(expectation, subject.case);
  const measured = () => ({ durationMs: Math.round(performance.now() - startedAt), digest });
  try {
    const findings = await parts.graderFor(expectation, subject.case).grade(subject, signal);
    return findings.map((finding) => gradeOf(expectation, finding, measured()));
  } catch (error) {
    return [erroredGrade(expectation, error, measured())];
  }
}
