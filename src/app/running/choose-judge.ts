import { expand } from '../../authoring/config/expand.ts';
import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { problemAt } from '../../authoring/config/locate.ts';
import type { JudgeChoice } from '../../core/judge.ts';
import type { Problem } from '../../core/problem.ts';
import type { Suite } from '../../core/test-case.ts';
import type { PlannedCase } from '../../engine/plan.ts';

/** Sources of a judge's name besides the grader itself. */
export interface JudgeNames {
  /** `--judge`, which overrides everything. */
  readonly flag?: string | undefined;
  readonly ofTarget: (target: string) => JudgeChoice | undefined;
  readonly ofConfig?: JudgeChoice | undefined;
}

export function judgeNames(loaded: LoadedConfig, flag: string | undefined): JudgeNames {
  const { environment, written, config } = loaded;
  return {
    flag,
    ofTarget: (target) =>
      expand(written.get(target)?.keys['judge'], environment, []).value as JudgeChoice | undefined,
    ofConfig: expand(config.judge, environment, []).value as JudgeChoice | undefined,
  };
}

/** Problems with unset variables of the config's judge, if any case is judged. */
export function judgeFaults(
  loaded: LoadedConfig,
  cases: readonly Pick<PlannedCase, 'digests'>[],
): readonly Problem[] {
  if (!cases.some(({ digests }) => digests.judges !== undefined)) return [];
  const { faults } = expand(loaded.config.judge, loaded.environment, ['judge']);
  return faults.map((fault) => problemAt(loaded.origin, fault));
}

/** Chooses in the order flag, grader, target, config. A target judges itself only if one of these names it. */
export function chooseJudge(
  names: JudgeNames,
  named: JudgeChoice | undefined,
  target: string,
): JudgeChoice | undefined {
  return names.flag ?? named ?? names.ofTarget(target) ?? names.ofConfig;
}

/** Whether a grader without a named judge can find one. */
export function anyJudge({ config, written }: LoadedConfig, flag: string | undefined): boolean {
  return (
    flag !== undefined ||
    config.judge !== undefined ||
    [...written.values()].some(({ keys }) => keys['judge'] !== undefined)
  );
}

/** Names of targets that judge in a plan, and problems of trials without a judge. */
export function judgeTargets(
  plan: {
    readonly suites: readonly Pick<Suite, 'id' | 'cases'>[];
    readonly cases: readonly Pick<PlannedCase, 'suite' | 'index' | 'id' | 'targets' | 'digests'>[];
  },
  names: JudgeNames,
): { readonly targets: readonly string[]; readonly problems: readonly Problem[] } {
  const targets = new Set<string>();
  const problems = new Map<string, Problem>();
  for (const { suite, index, id, targets: under, digests } of plan.cases) {
    for (const named of digests.judges ?? []) {
      for (const target of under) {
        const chosen = chooseJudge(names, named ?? undefined, target);
        if (typeof chosen === 'string') targets.add(chosen);
        const key = `${suite} ${target}`;
        if (chosen === undefined && !problems.has(key)) {
          problems.set(key, { ...placeIn(plan.suites[suite], index), ...noJudge(id, target) });
        }
      }
    }
  }
  return { targets: [...targets], problems: [...problems.values()] };
}

/** The source of a case. A suite is not always a file. */
function placeIn(
  suite: Pick<Suite, 'id' | 'cases'> | undefined,
  index: number,
): Pick<Problem, 'file' | 'line'> {
  return suite?.cases.at(index).source ?? { file: suite?.id ?? '' };
}

function noJudge(caseId: string, target: string): Omit<Problem, 'file' | 'line'> {
  return {
    code: 'no-judge',
    message: `the test ${JSON.stringify(caseId)} needs a judge for the target "${target}", but none is configured`,
    hint: `add \`judge\` to the config, the target or the evaluator, or use --judge`,
  };
}
