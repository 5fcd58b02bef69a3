import type { Problem } from '../../core/problem.ts';
import type { TestCase } from '../../core/test-case.ts';
import { mayDecide } from '../../core/verdict.ts';

/** Whether a case would be run and nothing that it came to could decide. */
export function isUngraded({ digest, skip, expectations }: TestCase): boolean {
  if (skip !== undefined) return false;
  if (digest === undefined) return expectations.length > 0 && !expectations.some(mayDecide);
  return !expectations.some(({ weight, required }) => weight > 0 || required !== undefined);
}

export function nothingToGrade({ id, digest, source }: TestCase): Problem {
  const name = JSON.stringify(id);
  const why =
    digest === undefined
      ? {
          message: `nothing would be graded in ${name}: every evaluator has weight 0 and none is required`,
          hint: 'give one of them a weight, or make it a gate with `required: true`',
        }
      : {
          message: `nothing would be graded in ${name}: no metric is in force, and nothing that it expects is a gate`,
          hint: 'list metrics under `judge` or evaluators under `run.expectations` of the config, or say what the case expects',
        };
  return {
    file: source?.file ?? 'stored',
    ...(source?.line === undefined ? {} : { line: source.line }),
    code: 'nothing-to-grade',
    ...why,
  };
}
