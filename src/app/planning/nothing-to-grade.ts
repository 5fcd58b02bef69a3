import { AuthoringError, type Problem } from '../../core/problem.ts';
import { knownCases, type Suite, type TestCase } from '../../core/test-case.ts';
import { mayDecide } from '../../core/verdict.ts';
import { placeOfCase } from './place-of-case.ts';

/** The problem of a case without any deciding expectation. Undefined if it has one or is skipped. */
export function nothingToGrade(testCase: TestCase): Problem | undefined {
  const { id, digest, skip, expectations } = testCase;
  if (skip !== undefined) return undefined;
  const place = placeOfCase(testCase);
  const name = JSON.stringify(id);
  if (digest === undefined) {
    if (expectations.length === 0 || expectations.some(mayDecide)) return undefined;
    return {
      ...place,
      code: 'nothing-to-grade',
      message: `nothing would be graded in ${name}: every evaluator has weight 0 and none is required`,
      hint: 'give one evaluator a weight, or set `required: true`',
    };
  }
  if (expectations.some(({ weight, required }) => weight > 0 || required !== undefined)) return undefined;
  return {
    ...place,
    code: 'nothing-to-grade',
    message: `nothing would be graded in ${name}: no metric is active, and the case expects nothing`,
    hint: 'add metrics under `judge` of the config, evaluators under `run.expectations`, or `expected_outcomes` or `expected_tool_calls` to the case',
  };
}

/** Throws for all cases with these ids that have no deciding expectation. */
export function refuseUngraded(suites: readonly Suite[], ids: ReadonlySet<string>): void {
  const problems: Problem[] = [];
  for (const { cases } of suites) {
    for (const testCase of knownCases(cases)) {
      const nothing = ids.has(testCase.id) ? nothingToGrade(testCase) : undefined;
      if (nothing !== undefined) problems.push(nothing);
    }
  }
  if (problems.length > 0) throw new AuthoringError(problems);
}
