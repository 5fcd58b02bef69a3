import { AuthoringError, type Problem } from '../../core/problem.ts';
import type { Suite, TestCase } from '../../core/test-case.ts';
import { mayDecide } from '../../core/verdict.ts';
import { given } from '../../lib/given.ts';

/** Why nothing that a case came to could decide, where it would be run; undefined where something could. */
export function nothingToGrade({ id, digest, skip, expectations, source }: TestCase): Problem | undefined {
  if (skip !== undefined) return undefined;
  const place = {
    file: source?.file ?? 'stored',
    ...given({ line: source?.line }),
  };
  const name = JSON.stringify(id);
  if (digest === undefined) {
    if (expectations.length === 0 || expectations.some(mayDecide)) return undefined;
    return {
      ...place,
      code: 'nothing-to-grade',
      message: `nothing would be graded in ${name}: every evaluator has weight 0 and none is required`,
      hint: 'give one of them a weight, or make it a gate with `required: true`',
    };
  }
  if (expectations.some(({ weight, required }) => weight > 0 || required !== undefined)) return undefined;
  return {
    ...place,
    code: 'nothing-to-grade',
    message: `nothing would be graded in ${name}: no metric is in force, and nothing that it expects is a gate`,
    hint: 'list metrics under `judge` or evaluators under `run.expectations` of the config, or say what the case expects',
  };
}

/** Throws for all cases of these ids of which that is so. */
export function refuseUngraded(suites: readonly Suite[], ids: ReadonlySet<string>): void {
  const problems: Problem[] = [];
  for (const { cases } of suites) {
    for (let index = 0; index < cases.length; index += 1) {
      const testCase = cases.at(index);
      const nothing = ids.has(testCase.id) ? nothingToGrade(testCase) : undefined;
      if (nothing !== undefined) problems.push(nothing);
    }
  }
  if (problems.length > 0) throw new AuthoringError(problems);
}
