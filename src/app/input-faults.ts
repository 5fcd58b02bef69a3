import type { Problem } from '../core/problem.ts';
import type { Plan } from '../engine/plan.ts';
import type { UsedTarget } from './target-pool.ts';

/** Planned cases whose input a target of theirs cannot be given. */
export function inputFaults(plan: Plan, targets: ReadonlyMap<string, UsedTarget>): readonly Problem[] {
  const choosy = new Set([...targets].filter(([, { plugin }]) => plugin.inputFault).map(([name]) => name));
  if (choosy.size === 0) return [];
  return plan.cases.flatMap(({ suite, index, id, skip, targets: asked }) => {
    if (skip !== undefined || !asked.some((name) => choosy.has(name))) return [];
    const testCase = plan.suites[suite]?.cases.at(index);
    if (testCase === undefined) return [];
    return asked.flatMap((name): Problem[] => {
      const used = targets.get(name);
      const fault = used?.plugin.inputFault?.(used.settings.config, testCase.input);
      if (fault === undefined) return [];
      const { file, line } = testCase.source ?? { file: plan.suites[suite]?.id ?? '' };
      return [
        {
          file,
          ...(line === undefined ? {} : { line }),
          code: 'prompt-unusable',
          message: `test "${id}": the input cannot be given to target ${name}: ${fault}`,
          hint: 'change the input, or choose another target for this test',
        },
      ];
    });
  });
}
