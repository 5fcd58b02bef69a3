import { AuthoringError, type Problem } from '../../core/problem.ts';
import type { Suite, TestCase } from '../../core/test-case.ts';

/** Whether a stored case would be run and nothing that it came to could decide. */
export function isUngraded({ digest, skip, expectations }: TestCase): boolean {
  if (digest === undefined || skip !== undefined) return false;
  return !expectations.some(({ weight, required }) => weight > 0 || required !== undefined);
}

export function nothingToGrade({ id, source }: TestCase): Problem {
  return {
    file: source?.file ?? 'stored',
    ...(source?.line === undefined ? {} : { line: source.line }),
    code: 'nothing-to-grade',
    message: `nothing would be graded in ${JSON.stringify(id)}: no metric is in force, and nothing that it expects is a gate`,
    hint: 'list metrics under `judge` or evaluators under `run.expectations` of the config, or say what the case expects',
  };
}

/** Throws for all cases of these ids of which that is so. */
export function refuseUngraded(suites: readonly Suite[], ids: ReadonlySet<string>): void {
  const problems: Problem[] = [];
  for (const { cases } of suites) {
    for (let index = 0; index < cases.length; index += 1) {
      const testCase = cases.at(index);
      if (ids.has(testCase.id) && isUngraded(testCase)) problems.push(nothingToGrade(testCase));
    }
  }
  if (problems.length > 0) throw new AuthoringError(problems);
}
