import type { Yielded } from '../../core/target.ts';
import { usageOf } from '../../core/usage.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ParserContext } from '../coding-agent/adapter.ts';
import { countAt, objectAt } from '../coding-agent/fields.ts';
import { usageSince } from '../coding-agent/usage-since.ts';

/** The usage of a turn, because the program reports the whole thread. */
export function usageEntries(event: JsonObject, { earlier }: ParserContext): readonly Yielded[] {
  const told = objectAt(event, 'usage');
  const input = countAt(told, 'input_tokens');
  const output = countAt(told, 'output_tokens');
  if (input === undefined || output === undefined) return [];
  const read = countAt(told, 'cached_input_tokens');
  const written = countAt(told, 'cache_write_input_tokens');
  const reasoning = countAt(told, 'reasoning_output_tokens');
  const thread = usageOf(
    input,
    output,
    given({ cacheReadTokens: read, cacheWriteTokens: written, reasoningTokens: reasoning }),
  );
  return [{ type: 'usage', ...usageSince(thread, earlier.usage) }];
}
