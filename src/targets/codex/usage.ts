import type { Yielded } from '../../core/target.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ParserContext } from '../coding-agent/adapter.ts';
import { countedUsage, type UsageNames } from '../coding-agent/counted-usage.ts';
import { objectAt } from '../coding-agent/fields.ts';
import { usageSince } from '../coding-agent/usage-since.ts';

/** The usage of a turn, because the program reports the whole thread. */
export function usageEntries(event: JsonObject, { earlier }: ParserContext): readonly Yielded[] {
  const thread = countedUsage(objectAt(event, 'usage'), USAGE);
  return thread === undefined ? [] : [{ type: 'usage', ...usageSince(thread, earlier.usage) }];
}

const USAGE: UsageNames = {
  input: 'input_tokens',
  output: 'output_tokens',
  read: 'cached_input_tokens',
  written: 'cache_write_input_tokens',
  reasoning: 'reasoning_output_tokens',
};
