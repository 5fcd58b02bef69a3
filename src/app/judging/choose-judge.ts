import { expand } from '../../authoring/config/expand.ts';
import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { problemAt } from '../../authoring/config/locate.ts';
import type { JudgeChoice, JudgeSettings } from '../../core/judge.ts';
import type { Problem } from '../../core/problem.ts';
import type { Suite } from '../../core/test-case.ts';
import type { PlannedCase } from '../../engine/plan.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';

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

/** What of a judge belongs to the digest of a grader: as written, so that no value of the environment is in it. */
export interface JudgeIdentity {
  /** Of the judge that a grader asks under a target; without one, under all that have no judge of their own. */
  of(named: JudgeChoice | null, target?: string): JsonValue;
  /** Targets whose judge is another than that of the rest. */
  readonly apart: readonly string[];
}

export function judgeIdentity(loaded: LoadedConfig, flag: string | undefined): JudgeIdentity {
  const written = (choice: JudgeChoice | undefined): JsonValue => {
    if (choice === undefined) return null;
    if (typeof choice !== 'string') return askedHow(choice);
    return { target: choice, keys: (loaded.written.get(choice)?.keys ?? null) as JsonValue };
  };
  const own = (target: string) => loaded.written.get(target)?.keys['judge'] as JudgeChoice | undefined;
  const shared = loaded.config.judge as JudgeChoice | undefined;
  return {
    of: (named, target) =>
      written(flag ?? named ?? (target === undefined ? undefined : own(target)) ?? shared),
    apart: flag === undefined ? [...loaded.written.keys()].filter((name) => own(name) !== undefined) : [],
  };
}

/** Without what stored cases are scored by, which their graders carry themselves. */
function askedHow(choice: JudgeSettings): JsonValue {
  const keys = Object.entries(choice as unknown as JsonObject).filter(([key]) => !SCORING_KEYS.has(key));
  return Object.fromEntries(keys);
}

const SCORING_KEYS: ReadonlySet<string> = new Set(['metrics', 'passThreshold', 'scoreGate', 'toolCalls']);

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
