import { expand } from '../../authoring/config/expand.ts';
import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { problemAt } from '../../authoring/config/locate.ts';
import { fault, type Fault, type Path, pathLabel } from '../../authoring/yaml/fault.ts';
import { lentJudge, namesTarget, type JudgeChoice } from '../../core/judge.ts';
import { isObject } from '../../lib/json.ts';
import type { Problem } from '../../core/problem.ts';
import type { Suite, TestCase } from '../../core/test-case.ts';
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
    ofConfig: judgeOfConfig(expand(config.judge, environment, []).value),
  };
}

/** Who judges, apart from what stored cases are scored by; undefined: `judge` names neither a model nor a target. */
export function judgeOfConfig(written: LoadedConfig['config']['judge']): JudgeChoice | undefined {
  if (written === undefined || typeof written === 'string') return written;
  const { metrics: _metrics, passThreshold: _threshold, scoreGate: _gate, ...rest } = written;
  const { toolCalls: _toolCalls, outcomes: _outcomes, ...who } = rest;
  return who.model === undefined && who.target === undefined ? undefined : (who as JudgeChoice);
}

/** Variables of the config's judge that are not set, where some case is judged. */
export function judgeFaults(
  loaded: LoadedConfig,
  cases: Iterable<Pick<PlannedCase, 'digests'>>,
): readonly Problem[] {
  if (![...cases].some(({ digests }) => digests.judges !== undefined)) return [];
  const { faults } = expand(loaded.config.judge, loaded.environment, ['judge']);
  return [...faults, ...uselessSettings(loaded)].map((found) => problemAt(loaded.origin, found));
}

/** Settings of a model where the target that judges is something else. */
function uselessSettings({ config, written, plugins }: LoadedConfig): readonly Fault[] {
  const judges: (readonly [unknown, Path])[] = [
    [config.judge, ['judge']],
    ...[...written.values()].map(({ keys, place }) => [keys['judge'], place(['judge'])] as const),
  ];
  return judges.flatMap(([judge, path]) => {
    const target = isObject(judge) ? written.get(String(judge['target'])) : undefined;
    if (!isObject(judge) || target === undefined) return [];
    const type = String(target.keys['type']);
    if (plugins.get(type)?.asModel !== undefined) return [];
    return ['temperature', 'maxOutputTokens']
      .filter((key) => judge[key] !== undefined)
      .map((key) => {
        const message = `${pathLabel([...path, key])}: only a model takes this setting, but the target ${JSON.stringify(target.name)} is of type ${type}`;
        return fault('judge-not-a-model', message, { path: [...path, key], at: 'key', hint: 'remove it' });
      });
  });
}

/** Chooses in the order flag, grader, target, config. A target judges itself only if one of these names it. */
export function chooseJudge(
  names: JudgeNames,
  named: JudgeChoice | undefined,
  target: string,
): JudgeChoice | undefined {
  return names.flag ?? named ?? names.ofTarget(target) ?? names.ofConfig;
}

/** All judges of the cases, without duplicates. */
export function judgesIn(
  cases: Iterable<Pick<PlannedCase, 'targets' | 'digests'>>,
  names: JudgeNames,
): readonly JudgeChoice[] {
  const choices = new Map<string, JudgeChoice>();
  let last: JudgeChoice | undefined;
  for (const { targets, digests } of cases) {
    for (const named of digests.judges ?? []) {
      for (const target of targets) {
        const choice = chooseJudge(names, named ?? undefined, target);
        if (choice === undefined || choice === last) continue;
        choices.set(JSON.stringify(choice), choice);
        last = choice;
      }
    }
  }
  return [...choices.values()];
}

/** Whether a grader without a named judge can find one. */
export function anyJudge({ config, written }: LoadedConfig, flag: string | undefined): boolean {
  return (
    flag !== undefined ||
    judgeOfConfig(config.judge) !== undefined ||
    [...written.values()].some(({ keys }) => keys['judge'] !== undefined)
  );
}

/** Names of targets that judge in a plan, and problems of trials without a judge. */
export function judgeTargets(
  plan: {
    readonly suites: readonly Pick<Suite, 'id' | 'cases'>[];
    readonly cases: Iterable<Pick<PlannedCase, 'suite' | 'index' | 'id' | 'targets' | 'digests'>>;
  },
  names: JudgeNames,
): { readonly targets: readonly string[]; readonly problems: readonly Problem[] } {
  const targets = new Set<string>();
  const problems = new Map<string, Problem>();
  for (const { suite, index, id, targets: under, digests } of plan.cases) {
    for (const named of digests.judges ?? []) {
      for (const target of under) {
        const chosen = chooseJudge(names, named ?? undefined, target);
        if (chosen !== undefined && namesTarget(chosen)) targets.add(lentJudge(chosen).target);
        const key = `${suite} ${target}`;
        if (chosen === undefined && !problems.has(key)) {
          problems.set(key, {
            ...placeIn(plan.suites[suite], index),
            ...noJudge(id, target, plan.suites[suite]?.cases.at(index)),
          });
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

function noJudge(
  caseId: string,
  target: string,
  testCase: Pick<TestCase, 'digest' | 'name'> | undefined,
): Omit<Problem, 'file' | 'line'> {
  const isStored = testCase?.digest !== undefined;
  const unscored = isStored ? '; with `judge: { metrics: [] }` only outcomes and criteria need one' : '';
  return {
    ...(isStored ? { path: ['judge'] } : {}),
    code: 'no-judge',
    message: `the test ${JSON.stringify(testCase?.name ?? caseId)} needs a judge for the target "${target}", but none is configured`,
    hint: `add \`judge\` to the config, the target or the evaluator, or use --judge${unscored}`,
  };
}
