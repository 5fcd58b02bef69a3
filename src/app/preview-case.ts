import type { LoadedConfig } from '../authoring/config/load-config.ts';
import { testCaseOf, type TakenCase } from '../authoring/stored/map.ts';
import type { MetricStore } from '../core/metric-store.ts';
import { AuthoringError } from '../core/problem.ts';
import type { TestCase } from '../core/test-case.ts';
import { conversationJudge, judgePromptOf } from '../graders/conversation-judge.ts';
import { fieldsOf } from './edit-case.ts';
import { userPromptOf } from './planning/digests.ts';
import { chooseGrading } from './planning/load/choose-grading.ts';
import { withStoredMetrics } from './planning/with-metrics.ts';

/** What models learn about a case, with a config. */
export interface CasePreview {
  /** System prompt of the simulated user; null: the config has a scripted one. */
  readonly user: string | null;
  /** System prompt of the judge, before a conversation; null: no judge is asked. */
  readonly judge: string | null;
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
  const taken = {
    case: fields as TakenCase['case'],
    directory: loaded.directory,
    mocks: [],
    movedMocks: 0,
  };
  const testCase = testCaseOf(taken, { ...grading, expectations: [] });
  const { user } = loaded.config;
  const isScripted = typeof user === 'object' && user.type === 'scripted';
  return { user: isScripted ? null : (userPromptOf(testCase) ?? null), judge: judgePromptIn(testCase) };
}

function judgePromptIn({ expectations }: TestCase): string | null {
  const judge = expectations.find(({ type }) => type === conversationJudge.type);
  return judge === undefined ? null : judgePromptOf(judge.config);
}
