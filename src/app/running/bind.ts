import { literalSecrets } from '../../authoring/config/literal-secrets.ts';
import { AuthoringError } from '../../core/problem.ts';
import type { CaseKind, RunSpec } from '../../core/run-spec.ts';
import type { CaseDigests, Plan, PlannedCase } from '../../engine/plan.ts';
import { given } from '../../lib/given.ts';
import { judgeNames, type JudgeNames } from './choose-judge.ts';
import { chooseUser, type UserChoice } from './choose-user.ts';
import { useTargets, type TargetUse } from './use-targets.ts';
import type { RedactorSource } from './redactor.ts';
import type { Machine } from './machine.ts';
import { modelSecretNames } from './models.ts';

/** A run spec bound to a machine: everything needed to execute it. */
export interface BoundRun {
  readonly spec: RunSpec;
  readonly machine: Machine;
  readonly plan: Plan;
  /** The targets under test. */
  readonly use: TargetUse;
  readonly judges: { readonly names: JudgeNames; readonly use: TargetUse };
  /** The user. Undefined if no case needs one. */
  readonly user: UserChoice | undefined;
  readonly secrets: RedactorSource;
}

/**
 * Finds everything that a spec names on a machine: cases in its suites, targets and judges in its config. The caller
 * checks that they have not changed since. Throws if environment variables are missing.
 */
export function bind(spec: RunSpec, machine: Machine): BoundRun {
  const { loaded, run } = machine;
  const { options } = spec;
  const names = spec.targets.map(({ name }) => name);
  const use = useTargets(names, loaded, options.targets.length > 0 ? '--target' : undefined);
  const judges = useTargets(spec.judges.targets, loaded, options.judge === undefined ? undefined : '--judge');
  const played = spec.user === undefined ? undefined : chooseUser(loaded);
  const problems = [...use.problems, ...judges.problems, ...(played?.problems ?? [])];
  if (problems.length > 0) throw new AuthoringError(problems);
  return {
    spec,
    machine,
    plan: planOf(spec, machine),
    use,
    judges: { names: judgeNames(loaded, options.judge), use: judges },
    user: played?.user,
    secrets: {
      environment: loaded.environment,
      secretNames: [
        ...use.secretNames,
        ...judges.secretNames,
        ...(played?.secretNames ?? []),
        ...modelSecretNames(loaded),
        ...run.redact.names,
      ],
      secretLiterals: [
        ...use.secretLiterals,
        ...judges.secretLiterals,
        ...literalSecrets(loaded.config.models),
      ],
      redactPatterns: run.redact.patterns,
    },
  };
}

/** The plan of a spec over the suites of a machine. */
function planOf({ suites: frozen, kinds, cases, targets }: RunSpec, { suites: loaded }: Machine): Plan {
  const byId = new Map(loaded.map((suite) => [suite.id, suite]));
  const suites = frozen.map(({ id }) => {
    const suite = byId.get(id);
    if (suite === undefined) throw new Error(`unknown suite ${id}`);
    return suite;
  });
  const planned: PlannedCase[] = [];
  let size = 0;
  for (const [i, id] of cases.id.entries()) {
    const kind = kinds[cases.kind[i] ?? -1];
    if (kind === undefined) throw new Error(`the run spec has no kind for the case ${id}`);
    planned.push(plannedCase(kind, { id, index: cases.at[i] ?? -1, digest: cases.digest[i] ?? -1, size }));
    size += kind.targets.length * kind.repeat;
  }
  return { suites, cases: planned, targets: targets.map(({ name }) => name), size };
}

interface CaseOfKind {
  readonly id: string;
  readonly index: number;
  readonly digest: number;
  /** Number of trials before it. */
  readonly size: number;
}

/** Copies member by member, because spread copies of 100,000 cases need three times the memory. */
function plannedCase(kind: CaseKind, { id, index, digest, size }: CaseOfKind): PlannedCase {
  const { suite, targets, repeat, dependsOn, skip } = kind;
  const digests = digestsOf(kind, digest);
  const planned = { suite, index, id, targets, repeat, digests, firstTrial: size };
  if (dependsOn === undefined && skip === undefined) return planned;
  return { ...planned, ...given({ dependsOn, skip }) };
}

function digestsOf(kind: CaseKind, digest: number): CaseDigests {
  const { graders, terms, gradersUnder, judges, mocks, userPrompt } = kind;
  const plain = terms === undefined ? { case: digest, graders } : { case: digest, graders, terms };
  const isPlain = [gradersUnder, judges, mocks, userPrompt].every((each) => each === undefined);
  return isPlain ? plain : { ...plain, ...given({ gradersUnder, judges, mocks, userPrompt }) };
}
