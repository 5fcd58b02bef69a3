import { expand } from '../../authoring/config/expand.ts';
import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { problemAt } from '../../authoring/config/locate.ts';
import type { JudgeChoice } from '../../core/judge.ts';
import type { Problem } from '../../core/problem.ts';
import type { Suite } from '../../core/test-case.ts';
import type { PlannedCase } from '../../engine/plan.ts';

/** Who can name a judge, beside a grader itself. */
export interface JudgeNames {
  /** `--judge`: over everything. */
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

/** Variables of the config's judge that are not set, where some case is judged. */
export function judgeFaults(
  loaded: LoadedConfig,
  cases: readonly Pick<PlannedCase, 'digests'>[],
): readonly Problem[] {
  if (!cases.some(({ digests }) => digests.judges !== undefined)) return [];
  const { faults } = expand(loaded.config.judge, loaded.environment, ['judge']);
  return faults.map((fault) => problemAt(loaded.origin, fault));
}

/** Flag, then grader, then target, then config. A target judges itself only where one of them names it. */
export function chooseJudge(
  names: JudgeNames,
  named: JudgeChoice | undefined,
  target: string,
): JudgeChoice | undefined {
  return names.flag ?? named ?? names.ofTarget(target) ?? names.ofConfig;
}

/** Whether a grader that names no judge may find one. */
export function anyJudge({ config, written }: LoadedConfig, flag: string | undefined): boolean {
  return (
    flag !== undefined ||
    config.judge !== undefined ||
    [...written.values()].some(({ keys }) => keys['judge'] !== undefined)
  );
}

/** Names of targets that judge in a plan, and the trials that would have no judge. */
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

/** Where a case is written: a suite need not be a file. */
function placeIn(
  suite: Pick<Suite, 'id' | 'cases'> | undefined,
  index: number,
): Pick<Problem, 'file' | 'line'> {
  return suite?.cases.at(index).source ?? { file: suite?.id ?? '' };
}

function noJudge(caseId: string, target: string): Omit<Problem, 'file' | 'line'> {
  return {
    code: 'no-judge',
    message: `the test ${JSON.stringify(caseId)} asks a language model about the target "${target}", and no judge is configured for it`,
    hint: `add \`judge\` to the config, to the target, or to the evaluator; or name one with --judge`,
  };
}
