import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { Problem } from '../../core/problem.ts';
import type { Plan } from '../../engine/plan.ts';
import { useTargets, type TargetUse } from '../binding/use-targets.ts';
import { judgeFaults, judgeNames, judgeTargets, type JudgeNames } from '../binding/choose-judge.ts';

/** The judges of a plan, and their problems. */
export interface JudgeUse {
  readonly names: JudgeNames;
  /** The judges that are targets. */
  readonly judges: TargetUse;
  readonly problems: readonly Problem[];
}

export function useJudges(plan: Plan, loaded: LoadedConfig, flag: string | undefined): JudgeUse {
  const names = judgeNames(loaded, flag);
  const named = judgeTargets(plan, names);
  const judges = useTargets(named.targets, loaded, flag === undefined ? {} : { flag: '--judge' });
  const problems = [...judges.problems, ...named.problems, ...judgeFaults(loaded, plan.cases)];
  return { names, judges, problems };
}
