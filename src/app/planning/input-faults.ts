import type { Problem } from '../../core/problem.ts';
import type { TestCase } from '../../core/test-case.ts';
import { placeOfCase } from './place-of-case.ts';
import { activeCases, type Plan, type PlannedCase } from '../../engine/plan.ts';
import type { UsedTarget } from '../binding/target-pool.ts';

/** Problems with planned cases whose target cannot take their input or working directory. */
export function inputFaults(
  plan: Plan,
  targets: ReadonlyMap<string, UsedTarget>,
  directory: string,
): readonly Problem[] {
  const choosy = choosyTargets(targets, directory);
  if (choosy.size === 0) return [];
  const isChoosy = ({ targets: asked }: PlannedCase) => asked.some((name) => choosy.has(name));
  return [...activeCases(plan, isChoosy)].flatMap(({ planned, testCase }) => {
    return planned.targets.flatMap((name): Problem[] =>
      faultsOf(name, testCase, choosy.get(name)).map((fault) => ({
        ...placeOfCase(testCase),
        ...fault,
        message: `test "${planned.id}": ${fault.message}`,
      })),
    );
  });
}

interface Choosy extends UsedTarget {
  readonly bringsFolders: boolean;
}

function choosyTargets(
  targets: ReadonlyMap<string, UsedTarget>,
  directory: string,
): ReadonlyMap<string, Choosy> {
  return new Map(
    [...targets].flatMap(([name, used]): [string, Choosy][] => {
      const staged = used.plugin.stages?.(used.settings.config, directory) ?? [];
      const isChoosy = used.plugin.inputFault !== undefined || staged.length > 0;
      return isChoosy ? [[name, { ...used, bringsFolders: staged.length > 0 }]] : [];
    }),
  );
}

function faultsOf(
  target: string,
  testCase: TestCase,
  used: Choosy | undefined,
): readonly Omit<Problem, 'file'>[] {
  if (used === undefined) return [];
  const fault = used.plugin.inputFault?.(used.settings.config, testCase.input);
  const shared = testCase.workspace?.shared;
  const isForeign = shared !== undefined && 'directory' in shared;
  return [
    ...(fault === undefined
      ? []
      : [
          {
            code: 'prompt-unusable',
            message: `target ${target} cannot take this input: ${fault}`,
            hint: 'change the input, or use another target for this test',
          } as const,
        ]),
    ...(isForeign && used.bringsFolders
      ? [
          {
            code: 'skills-in-own-directory',
            message: `target ${target} has \`skills\`, but skills are never copied into your own directory`,
            hint: 'use an isolated workspace, or remove `skills` from the target',
          } as const,
        ]
      : []),
  ];
}
