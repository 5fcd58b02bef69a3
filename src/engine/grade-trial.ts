import { erroredGrade, gradeOf, type Grade, type Subject } from '../core/grade.ts';
import type { Expectation } from '../core/test-case.ts';
import { refuseDeep } from '../lib/text/json-depth.ts';
import { allEnded } from '../lib/time/all-ended.ts';
import type { TrialContext } from './trial-context.ts';
import { subjectAfter } from './subject-after.ts';

/**
 * Decides all expectations of a case in parallel. Grades are in the written order. Rejects only with BudgetSpent, after
 * all graders have ended.
 */
export async function gradeTrial(subject: Subject, grading: Grading): Promise<readonly Grade[]> {
  const grades = await allEnded(
    subject.case.expectations.map((expectation, index) =>
      gradeExpectation(expectation, { subject, ...grading, digest: grading.digests[index] }),
    ),
  );
  return grades.flat();
}

/** Finds graders of expectations, with their data for grades. */
export interface Grading {
  readonly graderFor: TrialContext['graderFor'];
  /** Numbers of the graders' digests, one per expectation. */
  readonly digests: readonly number[];
  readonly signal: AbortSignal;
}

async function gradeExpectation(
  expectation: Expectation,
  grading: Omit<Grading, 'digests'> & { readonly subject: Subject; readonly digest: number | undefined },
): Promise<readonly Grade[]> {
  const { digest, signal } = grading;
  const startedAt = performance.now();
  const measured = () => {
    const durationMs = Math.round(performance.now() - startedAt);
    return digest === undefined ? { durationMs } : { durationMs, digest };
  };
  const { afterLine } = expectation;
  const subject = afterLine === undefined ? grading.subject : subjectAfter(grading.subject, afterLine);
  if (subject === undefined) {
    const reason = `the conversation ended before line ${afterLine} of the user was answered`;
    return [gradeOf({ ...expectation, negate: false }, { score: 0, reason }, measured())];
  }
  try {
    const findings = await grading.graderFor(expectation, subject.case).grade(subject, signal);
    refuseDeep(findings);
    if (findings.length === 0) throw new Error('the grader returned no result');
    const grades = findings.map((finding) => gradeOf(expectation, finding, measured()));
    return subject === grading.subject ? grades : grades.map((grade) => withAnswer(grade, subject));
  } catch (error) {
    return [erroredGrade(expectation, error, measured())];
  }
}

const ANSWER_LENGTH = 300;

/** Quotes the graded answer in a failed grade, because reports only show the last answer of a session. */
function withAnswer(grade: Grade, { transcript, answer }: Subject): Grade {
  if (grade.passed || grade.score === null) return grade;
  const turn = transcript.findLast((entry) => entry.type === 'message' && entry.role === 'assistant')?.turn;
  if (turn === undefined) return grade;
  const text = answer.length <= ANSWER_LENGTH ? answer : `${answer.slice(0, ANSWER_LENGTH)}…`;
  const quoted = { text: `the answer was: ${text}`, passed: false, turns: [turn] };
  return { ...grade, evidence: [...(grade.evidence ?? []), quoted] };
}
