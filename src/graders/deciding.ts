import type { Finding, Grader, Subject } from '../core/grade.ts';

/** A grader with exactly one finding. */
export function deciding(
  decide: (subject: Subject, signal: AbortSignal) => Finding | Promise<Finding>,
): Grader {
  return { grade: async (subject, signal) => [await decide(subject, signal)] };
}
