import type { Yielded } from '../../core/target.ts';
import type { Effect } from '../../core/transcript.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { ParserContext, Reading } from '../coding-agent/adapter.ts';
import { listAt, objectAt, textAt } from '../coding-agent/fields.ts';
import { unwrapped } from './wrapper.ts';

/** The meaning of an item when it starts or completes. */
export function itemReading(
  item: JsonObject,
  when: 'item.started' | 'item.completed',
  context: ParserContext,
): Reading {
  const type = textAt(item, 'type') ?? 'without a type';
  if (type === 'agent_message') return said(item, {});
  if (type === 'reasoning') return said(item, { phase: 'thinking' });
  // Notices that successful runs have too, and the agent's plan.
  if (type === 'error' || type === 'todo_list') return {};
  const call = calledTool(item, type, context);
  if (call === undefined) return { unknown: `item ${type}` };
  const callId = callIdOf(item, context);
  const { output, failed, effects, ...called } = call;
  const start: Yielded = {
    type: 'tool-call',
    callId,
    ...called,
    ...(effects.length === 0 ? {} : { effects }),
  };
  if (when === 'item.started') return { entries: [start] };
  const end: Yielded = { type: 'tool-result', callId, output, ...(failed ? { failed } : {}) };
  return { entries: [start, end] };
}

/** Ids restart in every turn. */
function callIdOf(item: JsonObject, { earlier }: ParserContext): string {
  const id = textAt(item, 'id') ?? '';
  return earlier.turns === undefined ? id : `${earlier.turns + 1}-${id}`;
}

function said(item: JsonObject, phase: { readonly phase?: 'thinking' }): Reading {
  const text = textAt(item, 'text');
  if (text === undefined) return {};
  return { entries: [{ type: 'message', role: 'assistant', ...phase, parts: [{ text }] }] };
}

interface CalledTool {
  readonly name: string;
  readonly input: JsonValue;
  readonly effects: readonly Effect[];
  readonly output: JsonValue;
  readonly failed: boolean;
}

function calledTool(item: JsonObject, type: string, context: ParserContext): CalledTool | undefined {
  const failed = hasFailed(item);
  switch (type) {
    case 'command_execution':
      return commandOf(item, context);
    case 'file_change': {
      const changes = listAt(item, 'changes');
      const effects = changes.flatMap((change) => context.effectsOf({ name: type, input: change }));
      return { name: type, input: { changes }, effects, output: textAt(item, 'status') ?? '', failed };
    }
    case 'mcp_tool_call': {
      const name = `${textAt(item, 'server') ?? ''}.${textAt(item, 'tool') ?? ''}`;
      const error = textAt(objectAt(item, 'error'), 'message');
      const output = error ?? item['result'] ?? '';
      return { name, input: item['arguments'] ?? {}, effects: [], output, failed };
    }
    case 'web_search':
      return { name: type, input: { query: textAt(item, 'query') ?? '' }, effects: [], output: '', failed };
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
    failed: hasFailed(item) || (typeof exitCode === 'number' && exitCode !== 0),
  };
}

function hasFailed(item: JsonObject): boolean {
  const status = textAt(item, 'status');
  return status === 'failed' || status === 'declined';
}
