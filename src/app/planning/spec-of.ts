import { FORMAT_VERSION } from '../../core/run.ts';
import type { CaseKind, RunSpec, SpecSettings } from '../../core/run-spec.ts';
import type { Plan, PlannedCase } from '../../engine/plan.ts';
import { given } from '../../lib/given.ts';
import type { JsonValue } from '../../lib/json.ts';
import { takesStore } from '../../core/run-options.ts';
import type { PlanManifest } from './plan-manifest.ts';
import type { TargetedPlan } from './plan-of.ts';
import type { Roles } from './assign-roles.ts';
import type { EffectiveSettings } from './effective-settings.ts';

export interface Cast {
  readonly roles: Roles;
  readonly replays: Readonly<Record<string, string>>;
  readonly manifest: PlanManifest;
}

/** The run spec of a plan. Together with the checkout it is enough to execute the run. */
export function specOf(
  { options, settings, project, plan, use, digests }: TargetedPlan,
  { roles, replays, manifest }: Cast,
): RunSpec {
  const { judge, user, metrics } = project.loaded.config;
  const targets = new Map(manifest.targets.map(({ config: _config, ...target }) => [target.name, target]));
  return {
    formatVersion: FORMAT_VERSION,
    options,
    settings: specSettings(settings),
    suites: plan.suites.map(({ id, file, cases }) => ({ id, file, cases: cases.length })),
    ...casesOf(plan),
    targets: plan.targets.flatMap((name) => {
      const target = targets.get(name);
      return target === undefined ? [] : { ...target, written: use.written.get(name) ?? {} };
    }),
    judges: {
      ...given({ ofConfig: judge as JsonValue | undefined }),
      targets: [...roles.judges.targets.keys()],
    },
    ...(roles.converses
      ? { user: { ...given({ written: user as JsonValue | undefined }), isAsked: roles.isUserAsked } }
      : {}),
    ...(takesStore(options) ? given({ metrics: metrics as readonly JsonValue[] | undefined }) : {}),
    replays,
    digests: digests.list,
  };
}

function specSettings(settings: EffectiveSettings): SpecSettings {
  const { seed, concurrency, schedule, threshold, retryInfrastructure, maxErrored, failFast, limits } =
    settings;
  return {
    seed,
    concurrency,
    ...given({ schedule }),
    threshold,
    retryInfrastructure,
    maxErrored,
    failFast,
    limits,
  };
}

/** Cases in columns, and their kinds. */
function casesOf(plan: Plan): Pick<RunSpec, 'kinds' | 'cases'> {
  const cases = [...plan.cases];
  const kinds: CaseKind[] = [];
  const known = new Map<string, number>();
  let last: { readonly planned: PlannedCase; readonly number: number } | undefined;
  const numberOf = (planned: PlannedCase): number => {
    // Most cases have the same kind as the previous one.
    if (last !== undefined && isAlike(last.planned, planned)) return last.number;
    const kind = kindOf(planned);
    const text = JSON.stringify(kind);
    const number = known.get(text) ?? kinds.push(kind) - 1;
    known.set(text, number);
    last = { planned, number };
    return number;
  };
  return {
    kinds,
    cases: {
      id: cases.map(({ id }) => id),
      at: cases.map(({ index }) => index),
      kind: cases.map(numberOf),
      digest: cases.map(({ digests }) => digests.case),
      graders: cases.flatMap(({ digests }) => digests.graders),
    },
  };
}

/** Whether two cases certainly have the same kind, without serialising them. */
function isAlike(one: PlannedCase, other: PlannedCase): boolean {
  const { graders, terms, mocks, userPrompt, judges = [] } = other.digests;
  const known = one.digests;
  return (
    one.suite === other.suite &&
    one.repeat === other.repeat &&
    one.targets === other.targets &&
    known.terms === terms &&
    known.mocks === mocks &&
    known.userPrompt === userPrompt &&
    known.graders.length === graders.length &&
    known.judges?.length === other.digests.judges?.length &&
    judges.every((judge, index) => judge === known.judges?.[index]) &&
    [one, other].every(isPlain)
  );
}

/** Whether a case has no rare properties. */
function isPlain({ dependsOn, skip, digests }: PlannedCase): boolean {
  return (dependsOn ?? skip ?? digests.gradersUnder ?? digests.models) === undefined;
}

/** The properties of a planned case that other cases may share. */
export function kindOf(planned: Omit<PlannedCase, 'id' | 'index' | 'firstTrial'>): CaseKind {
  const { suite, targets, repeat, dependsOn, skip, digests } = planned;
  const { gradersUnder, judges, models, terms, mocks, userPrompt } = digests;
  return {
    suite,
    targets,
    repeat,
    graderCount: digests.graders.length,
    ...given({ gradersUnder, judges, models, terms, mocks, userPrompt, dependsOn, skip }),
  };
}
