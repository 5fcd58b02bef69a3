import type { Yielded } from '../../core/target.ts';
import type { Effect } from '../../core/transcript.ts';
import type { JsonValue } from '../../lib/json.ts';

/** Where an entry belongs, as far as the agent tells it. */
export interface EntryPlace {
  readonly step?: number;
  readonly parentCallId?: string;
  readonly at?: string;
}

/** A message with a text of the assistant. No entry if the text is undefined. */
export function said(
  text: string | undefined,
  place: EntryPlace & { readonly phase?: 'thinking' } = {},
): readonly Yielded[] {
  return text === undefined ? [] : [{ type: 'message', role: 'assistant', parts: [{ text }], ...place }];
}

interface ToolCall {
  readonly callId: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly effects: readonly Effect[];
}

export function toolCall({ effects, ...call }: ToolCall, place: EntryPlace = {}): Yielded {
  return { type: 'tool-call', ...call, ...(effects.length === 0 ? {} : { effects }), ...place };
}

interface ToolResult {
  readonly callId: string;
  readonly output: JsonValue;
  readonly hasFailed: boolean;
}

export function toolResult({ hasFailed, ...result }: ToolResult, place: EntryPlace = {}): Yielded {
  return { type: 'tool-result', ...result, ...(hasFailed ? { failed: true } : {}), ...place };
}
