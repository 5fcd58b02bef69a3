import type { Yielded } from '../../core/target.ts';
import { usageOf } from '../../core/usage.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ParserContext } from '../coding-agent/adapter.ts';
import { countAt, objectAt } from '../coding-agent/fields.ts';

/** What the turn has cost: the program tells what the whole thread has. */
export function usageEntries(event: JsonObject, { earlier }: ParserContext): readonly Yielded[] {
  const told = objectAt(event, 'usage');
  const before = earlier.usage;
  const since = (key: string, count = 0): number | undefined => {
    const total = countAt(told, key);
    return total === undefined ? undefined : Math.max(0, total - count);
  };
  const input = since('input_tokens', before?.inputTokens);
  const output = since('output_tokens', before?.outputTokens);
  if (input === undefined || output === undefined) return [];
  const read = since('cached_input_tokens', before?.cacheReadTokens);
  const written = since('cache_write_input_tokens', before?.cacheWriteTokens);
  const reasoning = since('reasoning_output_tokens', before?.reasoningTokens);
  const tokens = usageOf(input, output, {
    ...(read === undefined ? {} : { cacheReadTokens: read }),
    ...(written === undefined ? {} : { cacheWriteTokens: written }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  });
  return [{ type: 'usage', ...tokens }];
}
