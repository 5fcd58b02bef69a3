import type { Effect } from '../../core/transcript.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { ParserContext, Reading } from '../coding-agent/adapter.ts';
import { said, toolCall, toolResult } from '../coding-agent/entries.ts';
import { listAt, objectAt, textAt } from '../coding-agent/fields.ts';
import { unwrapped } from './wrapper.ts';

/** The meaning of an item when it starts or completes. */
export function itemReading(
  item: JsonObject,
  when: 'item.started' | 'item.completed',
  context: ParserContext,
): Reading {
  const type = textAt(item, 'type') ?? 'without a type';
  if (type === 'agent_message') return { entries: said(textAt(item, 'text')) };
  if (type === 'reasoning') return { entries: said(textAt(item, 'text'), { phase: 'thinking' }) };
  // Notices that successful runs have too, and the agent's plan.
  if (type === 'error' || type === 'todo_list') return {};
  const call = calledTool(item, type, context);
  if (call === undefined) return { unknown: `item ${type}` };
  const callId = callIdOf(item, context);
  const { output, hasFailed, ...called } = call;
  const start = toolCall({ callId, ...called });
  if (when === 'item.started') return { entries: [start] };
  return { entries: [start, toolResult({ callId, output, hasFailed })] };
}

/** Ids restart in every turn. */
function callIdOf(item: JsonObject, { earlier }: ParserContext): string {
  const id = textAt(item, 'id') ?? '';
  return earlier.turns === undefined ? id : `${earlier.turns + 1}-${id}`;
}

interface CalledTool {
  readonly name: string;
  readonly input: JsonValue;
  readonly effects: readonly Effect[];
  readonly output: JsonValue;
  readonly hasFailed: boolean;
}

function calledTool(item: JsonObject, type: string, context: ParserContext): CalledTool | undefined {
  const hasFailed = isFailed(item);
  switch (type) {
    case 'command_execution':
      return commandOf(item, context);
    case 'file_change': {
      const changes = listAt(item, 'changes');
      const effects = changes.flatMap((change) => context.effectsOf({ name: type, input: change }));
      return { name: type, input: { changes }, effects, output: textAt(item, 'status') ?? '', hasFailed };
    }
    case 'mcp_tool_call': {
      const name = `${textAt(item, 'server') ?? ''}.${textAt(item, 'tool') ?? ''}`;
      const error = textAt(objectAt(item, 'error'), 'message');
      const output = error ?? item['result'] ?? '';
      return { name, input: item['arguments'] ?? {}, effects: [], output, hasFailed };
    }
    case 'web_search':
      return {
        name: type,
        input: { query: textAt(item, 'query') ?? '' },
        effects: [],
        output: '',
        hasFailed,
      };
    default:
      return undefined;
  }
}

function commandOf(item: JsonObject, { effectsOf }: ParserContext): CalledTool {
  const name = 'command_execution';
  const command = textAt(item, 'command') ?? '';
  const exitCode = item['exit_code'];
  return {
    name,
    input: { command },
    effects: effectsOf({ name, input: { command: unwrapped(command) } }),
    output: textAt(item, 'aggregated_output') ?? '',
    hasFailed: isFailed(item) || (typeof exitCode === 'number' && exitCode !== 0),
  };
}

function isFailed(item: JsonObject): boolean {
  const status = textAt(item, 'status');
  return status === 'failed' || status === 'declined';
}
