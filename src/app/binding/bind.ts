import { AuthoringError } from '../../core/problem.ts';
import type { RunSpec } from '../../core/run-spec.ts';
import { casesOfSpec, type SpecPlan } from '../../engine/spec-plan.ts';
import { judgeNames, type JudgeNames } from './choose-judge.ts';
import { chooseUser, type UserChoice } from './choose-user.ts';
import { askedTargets, useTargets, type TargetUse } from './use-targets.ts';
import { secretsOf, type RedactorSource } from './redactor.ts';
import type { Machine } from './machine.ts';

/** A run spec bound to a machine: everything needed to execute it. */
export interface BoundRun {
  readonly spec: RunSpec;
  readonly machine: Machine;
  readonly plan: SpecPlan;
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
  const use = useTargets(names, loaded, askedTargets(options));
  const judges = useTargets(
    spec.judges.targets,
    loaded,
    options.judge === undefined ? {} : { flag: '--judge' },
  );
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
    secrets: secretsOf(loaded, played === undefined ? [use, judges] : [use, judges, played], run.redact),
  };
}

/** The plan of a spec over the suites of a machine. */
function planOf(spec: RunSpec, { suites: loaded }: Machine): SpecPlan {
  const byId = new Map(loaded.map((suite) => [suite.id, suite]));
  const suites = spec.suites.map(({ id }) => {
    const suite = byId.get(id);
    if (suite === undefined) throw new Error(`unknown suite ${id}`);
    return suite;
  });
  const cases = casesOfSpec(spec);
  return { suites, cases, targets: spec.targets.map(({ name }) => name), size: cases.trials };
}
