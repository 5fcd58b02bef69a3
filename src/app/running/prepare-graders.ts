import type { Plan } from '../../engine/plan.ts';
import type { TrialContext } from '../../engine/trial-context.ts';

/** Prepares the graders of the first case while its agent works. Most cases have the same graders. */
export function prepareGraders({ suites, cases }: Plan, graderFor: TrialContext['graderFor']): void {
  for (const { suite, index, skip } of cases) {
    const testCase = suites[suite]?.cases.at(index);
    if (skip !== undefined || testCase === undefined) continue;
    for (const expectation of testCase.expectations) {
      try {
        graderFor(expectation, testCase).prepare?.();
      } catch {
        // Its trial will report why it cannot be created.
      }
    }
    return;
  }
}
