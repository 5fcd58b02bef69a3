import { makePlan } from '../../engine/plan.ts';
import { given } from '../../lib/given.ts';
import { judgeIdentity } from './judge-identity.ts';
import { caseDigester, createDigestList, type DigestList } from './digests.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import type { OnlyTrials } from './failed-trials.ts';
import type { Project } from '../binding/machine.ts';
import { collectCaseFacts } from './case-facts.ts';
import { refuseEmpty } from './refuse-empty.ts';
import { refuseLarge } from './refuse-large.ts';
import type { RunOptions } from '../../core/run-options.ts';
import { whatToPlan } from './what-to-plan.ts';
import { wholeSuites } from './suite-digests.ts';

/** What a plan is made with. */
interface PlanSource {
  readonly outputDirectory: string;
  readonly only: OnlyTrials | undefined;
  readonly options: RunOptions;
  readonly settings: EffectiveSettings;
  readonly digests: DigestList;
}

/** The plan of a project, with what is known of its cases. Throws if it is empty or too large. */
export function planOf(project: Project, source: PlanSource) {
  const { options, settings, digests, only, outputDirectory } = source;
  const identityOf = judgeIdentity(project.loaded, options.judge);
  const digestsOf = caseDigester({ ...project, digests, identityOf });
  const caseFacts = collectCaseFacts(outputDirectory);
  const { problems: unnamed, ...planning } = whatToPlan(project, { options, settings });
  const plan = makePlan({
    ...planning,
    digestsOf: (testCase) => {
      caseFacts.add(testCase);
      return digestsOf(testCase);
    },
    ...given({ only }),
  });
  if (unnamed.length === 0) refuseEmpty(plan, options);
  refuseLarge(plan, options);
  const apart = createDigestList();
  const wholeSuiteDigests = wholeSuites(
    {
      ...planning,
      digestsOf: caseDigester({ ...project, digests: apart, identityOf }),
      ...given({ only }),
    },
    apart,
  );
  return { plan, wholeSuiteDigests, caseFacts, unnamed, targetsOf: planning.targetsOf };
}
