import type { LoadedConfig } from '../authoring/config/load-config.ts';
import { testCaseOf, type TakenCase } from '../authoring/stored/map.ts';
import { runExpectations } from '../authoring/stored/run-expectations.ts';
import { DEFAULT_THRESHOLD } from '../core/limits.ts';
import type { MetricStore } from '../core/metric-store.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { AuthoringError } from '../core/problem.ts';
import type { TestCase } from '../core/test-case.ts';
import { conversationJudge, judgePromptOf } from '../graders/conversation-judge.ts';
import { fieldsOf } from './edit-case.ts';
import { userPromptOf } from './planning/digests.ts';
import { chooseGrading } from './planning/load/choose-grading.ts';
import { passingWords } from './planning/passing-words.ts';
import { withStoredMetrics } from './planning/with-metrics.ts';
import { projectRootOf } from './project/project-root.ts';
import { graderShelf, type GraderShelf } from './registry.ts';
import { anyJudge } from './binding/choose-judge.ts';

/** What models learn about a case, and how it is graded, with a config. */
export interface CasePreview {
  /** System prompt of the simulated user; null: the config has a scripted one. */
  readonly user: string | null;
  /** System prompt of the judge, before a conversation; null: no judge is asked. */
  readonly judge: string | null;
  /** What counts as passing, as sentences that must all hold. Empty: nothing is graded. */
  readonly passing: readonly string[];
}

/** Previews a case that need not be stored. Throws the mistakes of its fields. */
export async function previewCase(
  written: unknown,
  config: LoadedConfig,
  metrics: Pick<MetricStore, 'list'>,
): Promise<CasePreview> {
  const fields = fieldsOf(written);
  const loaded = await withStoredMetrics(config, metrics);
  const { grading, problems } = chooseGrading(loaded);
  if (problems.length > 0) throw new AuthoringError(problems);
  const shelf = graderShelf();
  const taken = {
    case: fields as TakenCase['case'],
    directory: loaded.directory,
    mocks: [],
    movedMocks: 0,
  };
  const { expectations } = await runExpectations({
    entries: loaded.config.run?.expectations ?? [],
    origin: loaded.origin,
    directory: loaded.directory,
    projectRoot: projectRootOf(loaded.directory, loaded.file),
    graders: shelf,
    targets: new Set(loaded.written.keys()),
    hasJudge: anyJudge(loaded, undefined),
  });
  const testCase = testCaseOf(taken, { ...grading, expectations });
  const { user } = loaded.config;
  const isScripted = typeof user === 'object' && user.type === 'scripted';
  return {
    user: isScripted ? null : (userPromptOf(testCase) ?? null),
    judge: judgePromptIn(testCase),
    passing: passingWords({ threshold: DEFAULT_THRESHOLD, ...testCase }, await gradersOf(shelf)),
  };
}

async function gradersOf(shelf: GraderShelf): Promise<ReadonlyMap<string, GraderPlugin>> {
  const { caseGraders } = await import('../graders/index.ts');
  return new Map([...shelf.loaded(), ...caseGraders.map((each) => [each.type, each] as const)]);
}

function judgePromptIn({ expectations }: TestCase): string | null {
  const judge = expectations.find(({ type }) => type === conversationJudge.type);
  return judge === undefined ? null : judgePromptOf(judge.config);
}
