import type { Finding, Subject } from '../core/grade.ts';
import type { GraderServices } from '../core/plugin.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Aggregator } from './composite-aggregator.ts';
import { asksFor, judgeOf } from './judge-keys.ts';
import { scoreForm } from './judge/answer-form.ts';
import { COMPOSITE_PROMPT, WITH_RESULTS, WITH_RUBRICS } from './judge/default-prompt.ts';
import { scoreFinding } from './judge/findings.ts';
import { judged } from './judge/judging.ts';
import { promptText } from './judge/prompt-text.ts';
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
  const listed = items === undefined || asksFor(own, 'rubrics') ? own : own + WITH_RUBRICS;
  const lines = Object.entries(results).map(([name, grade]) => ({
    label: 'results',
    value: { name, ...grade },
  }));
  const findings = await judged(
    {
      named: judgeOf(aggregator),
      samples: aggregator.samples,
      overflow: aggregator.overflow,
      template: listed + WITH_RESULTS,
      form: scoreForm,
      items,
      config: aggregator.config,
      more: [{ name: 'results', lines }],
      findings: (asked, asker) => [scoreFinding(asked, asker)],
    },
    { subject, services },
    signal,
  );
  return findings[0] ?? { score: null, reason: 'the judge gave no grade' };
}
