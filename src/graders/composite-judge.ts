import type { Finding, Subject } from '../core/grade.ts';
import type { GraderServices } from '../core/plugin.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Aggregator } from './composite-aggregator.ts';
import { COMPOSITE_PROMPT, WITH_RESULTS } from './judge/default-prompt.ts';
import { scored } from './judge/judging.ts';
import { promptText, withRubrics } from './judge/prompt-text.ts';
import { rubricList } from './judge/rubric-list.ts';

type JudgeAggregator = Extract<Aggregator, { readonly type: 'llm_judge' }>;

/** Asks a judge about the grades of the members. Their reasons may quote the agent, so they are material too. */
export async function askAggregator(
  aggregator: JudgeAggregator,
  grading: {
    readonly results: Readonly<Record<string, JsonObject>>;
    readonly subject: Subject;
    readonly services: GraderServices;
  },
  signal: AbortSignal,
): Promise<Finding> {
  const { subject, services, results } = grading;
  const items = aggregator.rubrics === undefined ? undefined : rubricList(aggregator.rubrics);
  const own =
    aggregator.prompt === undefined
      ? COMPOSITE_PROMPT
      : await promptText(aggregator.prompt, services.directory);
  const lines = Object.entries(results).map(([name, grade]) => ({
    label: 'results',
    value: { name, ...grade },
  }));
  const findings = await scored(
    {
      settings: aggregator,
      template: withRubrics(own, items) + WITH_RESULTS,
      items,
      config: aggregator.config,
      more: [{ name: 'results', lines }],
    },
    { subject, services },
    signal,
  );
  return findings[0] ?? { score: null, reason: 'the judge gave no grade' };
}
