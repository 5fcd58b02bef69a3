import type { Yielded } from '../../core/target.ts';
import { addUsage, type Usage } from '../../core/usage.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ParserContext } from '../coding-agent/adapter.ts';
import { countedUsage, type UsageNames } from '../coding-agent/counted-usage.ts';
import { objectAt, textAt } from '../coding-agent/fields.ts';
import { objectsIn } from '../coding-agent/json-lines.ts';
import { foreignObject } from '../../lib/text/json-depth.ts';
import { usageSince } from '../coding-agent/usage-since.ts';

/**
 * The usage of a turn. Events do not have it: the usage file has the sum of the session, else the session file has each
 * call.
 */
export function usageEntries(
  files: Readonly<Record<string, string>>,
  { earlier }: ParserContext,
): readonly Yielded[] {
  const session = sumOf(metricsIn(files['usage.json'] ?? ''));
  const turn = session === undefined ? undefined : usageSince(session, earlier.usage);
  // After a killed turn, the usage file still has the state of the turn before.
  const usage =
    turn === undefined || turn.totalTokens === 0 ? sumOf(recordsIn(files['session.jsonl'] ?? '')) : turn;
  return usage === undefined ? [] : [{ type: 'usage', ...usage }];
}

function metricsIn(text: string): readonly JsonObject[] {
  const metrics = objectAt(foreignObject(text), 'modelMetrics');
  return Object.values(metrics).map((metric) => objectAt(metric, 'usage'));
}

/** Usage of the last turn; a session file starts each later turn with `session.resume`. */
function recordsIn(text: string): readonly JsonObject[] {
  const events = objectsIn(text);
  const start = events.findLastIndex((event) => textAt(event, 'type') === 'session.resume');
  return events
    .slice(start + 1)
    .filter((event) => textAt(event, 'type') === 'session.usage_record')
    .map((event) => objectAt(objectAt(event, 'data'), 'usage'));
}

function sumOf(reports: readonly JsonObject[]): Usage | undefined {
  let sum: Usage | undefined;
  for (const report of reports) {
    const usage = countedUsage(report, USAGE);
    if (usage !== undefined) sum = addUsage(sum, usage);
  }
  return sum;
}

/** Input includes cached tokens, output includes reasoning. */
const USAGE: UsageNames = {
  input: 'inputTokens',
  output: 'outputTokens',
  read: 'cacheReadTokens',
  written: 'cacheWriteTokens',
  reasoning: 'reasoningTokens',
};
