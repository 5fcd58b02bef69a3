import * as z from 'zod';

import type { Subject } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { round9 } from '../lib/text/decimals.ts';
import { deciding } from './deciding.ts';
import { checkLimit, knownCost, knownUsage, type LimitCheck } from './limits-met.ts';

const count = z.lazy(() => z.int().min(0).optional());
const amount = z.lazy(() => z.number().min(0).optional());

const config = z.lazy(() =>
  z
    .strictObject({
      max_tool_calls: count.describe('Maximum tool calls.'),
      max_steps: count.describe("Maximum steps (responses of the agent's model)."),
      max_turns: count.describe('Maximum turns of the conversation.'),
      max_tokens: count.describe('Maximum total tokens.'),
      max_cost_usd: amount.describe('Maximum cost of the agent in USD. An unknown cost is an error.'),
      max_duration_ms: amount.describe('Maximum duration of the session in milliseconds.'),
    })
    .refine((limits) => Object.values(limits).some((limit) => limit !== undefined), {
      error:
        'give at least one limit: `max_tool_calls`, `max_steps`, `max_turns`, `max_tokens`, `max_cost_usd`, `max_duration_ms`',
    }),
);

type Config = z.infer<typeof config>;

export const executionMetrics: GraderPlugin<Config> = {
  type: 'execution_metrics',
  version: 1,
  summary:
    'The agent stays within limits of effort, time and cost. The score is the share of limits that it kept.',
  config,
  create: (options) =>
    deciding((subject) => {
      const checks = checksOf(options, subject);
      const broken = checks.filter(({ holds }) => !holds);
      const score = round9((checks.length - broken.length) / checks.length);
      const met = `${checks.length - broken.length} of ${checks.length} limits met`;
      return { score, reason: [met, ...broken.map(({ text }) => text)].join('; ') };
    }),
};

function checksOf(limits: Config, subject: Subject): readonly LimitCheck[] {
  const { measures, transcript, target } = subject;
  const checks: LimitCheck[] = [];
  const { max_tool_calls, max_steps, max_turns, max_tokens, max_cost_usd, max_duration_ms } = limits;
  if (max_tool_calls !== undefined) {
    const made = transcript.filter(({ type }) => type === 'tool-call').length;
    checks.push(checkLimit('tool calls', [made, max_tool_calls]));
  }
  if (max_steps !== undefined) checks.push(checkLimit('steps', [measures.steps, max_steps]));
  if (max_turns !== undefined) checks.push(checkLimit('turns', [measures.turns, max_turns]));
  if (max_tokens !== undefined)
    checks.push(checkLimit('tokens', [knownUsage(subject).totalTokens, max_tokens]));
  if (max_cost_usd !== undefined)
    checks.push(checkLimit('cost', [knownCost(measures, target), max_cost_usd], 'USD'));
  if (max_duration_ms !== undefined) {
    checks.push(checkLimit('duration', [measures.durationMs, max_duration_ms], 'ms'));
  }
  return checks;
}
