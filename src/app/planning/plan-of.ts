import { makePlan } from '../../engine/plan.ts';
import { given } from '../../lib/given.ts';
import { judgeIdentity } from './judge-identity.ts';
import { caseDigester, createDigestList, type DigestList } from './digests.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import type { OnlyTrials } from './failed-trials.ts';
import type { Project } from '../binding/machine.ts';
import { collectCaseFacts } from './case-facts.ts';
import { refuseEmpty, refuseLarge } from './refuse-empty.ts';
import type { RunOptions } from '../../core/run-options.ts';
import { whatToPlan } from './what-to-plan.ts';
import { wholeSuites } from './suite-digests.ts';
import type { Problem } from '../../core/problem.ts';

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

/** Whether the plan will have the same trials once the mistakes are corrected, so that gates can be held against it. */
export function isPlanCertain(ofRequest: readonly Problem[], ofFiles: readonly Problem[]): boolean {
  return ofFiles.length === 0 && ofRequest.every(({ path: [key] = [] }) => APART.has(String(key)));
}

/** Keys of a request that do not decide which trials are planned. */
const APART: ReadonlySet<string> = new Set([
  'name',
  'note',
  'line',
  'tags',
  'user',
  'limits',
  'on_limit',
  'first_speaker',
  'difficulty_weights',
  'concurrency',
  'budget_usd',
  'allow_unknown_cost',
  'max_errored',
  'fail_fast',
  'strict',
  'gates',
  'baseline',
  'dry_run',
]);
