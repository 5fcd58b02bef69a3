import type { SessionReport } from '../core/session-report.ts';
import type { Grade } from '../core/grade.ts';
import { failure } from './failure.ts';
import { track } from './soft.ts';
import { currentClass, currentFrame, putClass } from './trial-frame.ts';

/** An expectation as in YAML evals: `{ type: 'contains', value: 'hello' }`. */
export interface GraderEntry {
  type: string;
  [key: string]: unknown;
}

/** Grades the trial of a report with a grader of any type. Throws an AssertionError unless the grade passed. */
export async function grade(report: SessionReport, entry: GraderEntry): Promise<Grade> {
  const frame = currentFrame();
  if (frame?.grade === undefined || typeof report !== 'object' || report === null) {
    throw new Error(
      'grade(report, entry) can only be called inside the assert function of a case, with its report',
    );
  }
  const work = frame.grade(entry);
  track(frame, work);
  const given = await work;
  if (given.passed) return given;
  const error = failure(`${given.name}: ${given.reason}`, 'grade', grade);
  putClass(error, currentClass() ?? GRADE_CLASS);
  throw error;
}

const GRADE_CLASS = { id: 'grade', label: 'Grade' };
