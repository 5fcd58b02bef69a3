import { makePlan, type Plan } from '../../engine/plan.ts';
import { given } from '../../lib/given.ts';
import { judgeIdentity } from './judge-identity.ts';
import { caseDigester, createDigestList, type DigestList } from './digests.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import type { OnlyTrials } from './failed-trials.ts';
import type { Project } from '../binding/machine.ts';
import { collectCaseFacts, type CaseFacts } from './case-facts.ts';
import type { TargetUse } from '../binding/use-targets.ts';
import { refuseEmpty } from './refuse-empty.ts';
import { refuseLarge } from './refuse-large.ts';
import type { RunOptions } from '../../core/run-options.ts';
import { whatToPlan } from './what-to-plan.ts';
import { wholeSuites } from './suite-digests.ts';
import type { Problem } from '../../core/problem.ts';

/** What a plan is made with. */
interface PlanSource {
  readonly options: RunOptions;
  readonly project: Project;
  readonly settings: EffectiveSettings;
  readonly digests: DigestList;
}

/** A plan with what it was made of. */
export interface MadePlan extends PlanSource {
  readonly plan: Plan;
  /** Digests of what all shards run together, by suite. Empty if the run is not a shard. */
  readonly wholeSuiteDigests: ReadonlyMap<string, string>;
  readonly caseFacts: CaseFacts;
  /** Why cases without a target of their own get none. */
  readonly unnamed: readonly Problem[];
  readonly targetsOf: ReturnType<typeof whatToPlan>['targetsOf'];
}

/** A plan with its targets. */
export interface TargetedPlan extends MadePlan {
  /** The targets under test. */
  readonly use: TargetUse;
}

/** Makes the plan of a project. Throws if it is empty or too large. */
export function planOf(
  source: PlanSource,
  { only, outputDirectory }: { readonly only: OnlyTrials | undefined; readonly outputDirectory: string },
): MadePlan {
  const { options, project, settings, digests } = source;
  const identityOf = judgeIdentity(project.loaded, options.judge);
  const digestsOf = caseDigester({ ...project, digests, identityOf });
  const caseFacts = collectCaseFacts(outputDirectory);
  const { problems: unnamed, ...asked } = whatToPlan(project, { options, settings });
  const planning = { ...asked, ...given({ only }) };
  const plan = makePlan({
    ...planning,
    digestsOf: (testCase) => {
      caseFacts.add(testCase);
      return digestsOf(testCase);
    },
  });
  if (unnamed.length === 0) refuseEmpty(plan, options);
  refuseLarge(plan, options);
  const apart = createDigestList();
  const digestsApart = caseDigester({ ...project, digests: apart, identityOf });
  const wholeSuiteDigests = wholeSuites({ ...planning, digestsOf: digestsApart }, apart);
  return { ...source, plan, wholeSuiteDigests, caseFacts, unnamed, targetsOf: planning.targetsOf };
}
