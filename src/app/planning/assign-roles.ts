import { AuthoringError, type Problem } from '../../core/problem.ts';
import type { TestCase } from '../../core/test-case.ts';
import type { TrialSettings } from '../../engine/trial-context.ts';
import type { Plan } from '../../engine/plan.ts';
import { inputFaults } from './input-faults.ts';
import { promptVarFaults } from './prompt-vars.ts';
import { modelKeyFaults } from '../binding/model-key-faults.ts';
import { useUsers } from './case-facts.ts';
import type { TargetedPlan } from './plan-of.ts';
import { type TargetUse, useTargets } from '../binding/use-targets.ts';
import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { judgeFaults, judgeNames, judgeTargets, type JudgeNames } from '../binding/choose-judge.ts';

export interface RoleRequest {
  readonly settingsFor: (testCase: TestCase, target: string) => TrialSettings;
  /** A dry run: missing keys are only warnings. */
  readonly isDry: true | undefined;
  /** Problems of gates under the plan. */
  readonly ofGates: readonly Problem[];
}

/** The users and judges of a plan. */
export interface Roles {
  /** Whether any case has more than one message of the user. */
  readonly converses: boolean;
  /** Whether any case needs a user that is asked for its messages. */
  readonly isUserAsked: boolean;
  readonly judges: TargetUse;
  /** Warnings about judges, endless conversations and mocks that never answer. */
  readonly warnings: readonly Problem[];
  /** What keeps this machine from calling the models; empty unless it is a dry run. */
  readonly missing: readonly Problem[];
}

/** Finds the users and judges of a plan. Throws everything that prevents the run, at once. */
export function assignRoles(
  { plan, project, options, caseFacts, targetsOf, use, unnamed }: TargetedPlan,
  { settingsFor, isDry, ofGates }: RoleRequest,
): Roles {
  const { loaded } = project;
  const talks = { plan, ids: caseFacts.conversing, targets: use.targets, settingsFor };
  const { user, isAsked, faults, warnings } = useUsers(loaded, talks);
  const { names, judges, problems } = useJudges(plan, loaded, options.judge);
  const keyless = modelKeyFaults({
    loaded,
    uses: [use, judges],
    players: isAsked && user?.type === 'simulated' ? [user.choice] : [],
    cases: plan.cases,
    names,
    cassette: options.cassette,
  });
  const refused = [
    ...unnamed,
    ...caseFacts.faults({ ...project, targetsOf, used: use.targets }),
    ...faults,
    ...use.problems,
    ...problems,
    ...(isDry === true ? [] : keyless),
    ...inputFaults(plan, use.targets, loaded.directory),
    ...promptVarFaults(plan, use.targets),
    ...ofGates,
  ];
  if (refused.length > 0) throw new AuthoringError(refused);
  const shadowed = caseFacts.warnings({ ...project, used: use.targets });
  const all = [...judges.warnings, ...warnings, ...shadowed];
  return {
    converses: caseFacts.conversing.size > 0,
    isUserAsked: isAsked,
    judges,
    warnings: all,
    missing: keyless,
  };
}

/** The judges of a plan, and their problems. */
interface JudgeUse {
  readonly names: JudgeNames;
  /** The judges that are targets. */
  readonly judges: TargetUse;
  readonly problems: readonly Problem[];
}

function useJudges(plan: Plan, loaded: LoadedConfig, flag: string | undefined): JudgeUse {
  const names = judgeNames(loaded, flag);
  const named = judgeTargets(plan, names);
  const judges = useTargets(named.targets, loaded, flag === undefined ? {} : { flag: '--judge' });
  const problems = [...judges.problems, ...named.problems, ...judgeFaults(loaded, plan.cases)];
  return { names, judges, problems };
}
