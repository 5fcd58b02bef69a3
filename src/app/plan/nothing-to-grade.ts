import type { Problem } from '../../core/problem.ts';
import type { TestCase } from '../../core/test-case.ts';

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
