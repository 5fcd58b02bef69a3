import type { Problem } from '../../core/problem.ts';
import { placeOfCase } from './place-of-case.ts';
import { activeCases, type Plan } from '../../engine/plan.ts';
import { given } from '../../lib/given.ts';
import { namedValue, neededNames, templateNames } from '../../lib/text/template.ts';
import { nearest } from '../../lib/text/suggest.ts';
import type { UsedTarget } from '../binding/target-pool.ts';

/** Problems with planned cases that lack a variable in the prompt of their target. */
export function promptVarFaults(plan: Plan, targets: ReadonlyMap<string, UsedTarget>): readonly Problem[] {
  const wanted = new Map(
    [...targets].flatMap(([name, { settings }]): [string, readonly string[]][] => {
      const names = neededNames(settings.prompt ?? '').filter((each) => each.startsWith('vars.'));
      return names.length === 0 ? [] : [[name, names]];
    }),
  );
  const bare = bareVarFaults(plan, targets);
  if (bare.length > 0 || wanted.size === 0) return bare;
  return [...activeCases(plan)].flatMap(({ planned, testCase }) => {
    const { id, targets: asked } = planned;
    const { vars = {} } = testCase;
    return asked.flatMap((target) =>
      (wanted.get(target) ?? [])
        .filter((name) => namedValue({ vars }, name) === undefined)
        .map((name): Problem => {
          const meant = nearest(name.slice('vars.'.length), Object.keys(vars));
          return {
            ...placeOfCase(testCase),
            code: 'unknown-var',
            message: `test "${id}": the prompt of target ${target} needs \`${name}\``,
            hint:
              meant === undefined
                ? 'add it to `vars` of the test or the suite'
                : `the test has \`vars.${meant}\``,
          };
        }),
    );
  });
}

/** The first test of each target whose prompt names a variable as other tools do, such as `{{ city }}`. */
function bareVarFaults(plan: Plan, targets: ReadonlyMap<string, UsedTarget>): readonly Problem[] {
  const named = new Map(
    [...targets].flatMap(([name, { settings }]): [string, readonly string[]][] => {
      const names = templateNames(settings.prompt ?? '').filter((each) => !each.startsWith('vars.'));
      return names.length === 0 ? [] : [[name, names]];
    }),
  );
  const faults: Problem[] = [];
  for (const { suite, index, id, targets: asked } of plan.cases) {
    if (named.size === 0) break;
    const { vars = {}, source } = plan.suites[suite]?.cases.at(index) ?? {};
    for (const target of asked) {
      const name = named.get(target)?.find((each) => Object.hasOwn(vars, each));
      if (name === undefined) continue;
      named.delete(target);
      faults.push({
        file: source?.file ?? plan.suites[suite]?.id ?? '',
        ...given({ line: source?.line }),
        code: 'unknown-var',
        message: `test "${id}": the prompt of target ${target} contains \`{{ ${name} }}\`, which is sent as it is`,
        hint: `write \`{{ vars.${name} }}\`, or rename the variable`,
      });
    }
  }
  return faults;
}
