import { textOf, type Message, type Part } from '../../core/message.ts';
import type { ModelMessage, ModelPart, ModelToolCall } from '../../core/model.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { contentOf, type Inlining } from '../inline-files.ts';
import { wireMessages, type WireMessage } from '../wire-messages.ts';

/** A user message, with files as text and images as images. */
export async function userParts(parts: readonly Part[], inlining: Inlining): Promise<readonly ModelPart[]> {
  const content = await contentOf(parts, inlining);
  if (!parts.some((part) => 'image' in part)) return [{ text: asText(content) }];
  return (content as readonly JsonObject[]).map(partOf);
}

/** Messages before the conversation with their roles; calls get ids, and results the id of their call. */
export async function earlierMessages(
  history: readonly Message[],
  partsOf: (parts: readonly Part[]) => Promise<readonly ModelPart[]>,
): Promise<readonly ModelMessage[]> {
  const wire = await wireMessages(history, async (parts) => textOf(parts));
  const names = new Map<string, string>();
  return await Promise.all(
    wire.map(async (message, position): Promise<ModelMessage> => {
      const text = asText(message.content);
      for (const { callId, name } of callsOf(message)) names.set(callId, name);
      switch (message.role) {
        case 'system':
          return { role: 'system', text };
        case 'assistant':
          return assistant(text, callsOf(message));
        case 'tool':
          return toolMessage(message, names);
        default:
          return { role: 'user', parts: await partsOf(history[position]?.parts ?? []) };
      }
    }),
  );
}

function assistant(text: string, toolCalls: readonly ModelToolCall[]): ModelMessage {
  return { role: 'assistant', text, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
}

/** A result without an earlier call can only be shown as text. */
function toolMessage(
  { content, tool_call_id, name }: WireMessage,
  names: ReadonlyMap<string, string>,
): ModelMessage {
  const text = asText(content);
  const tool = tool_call_id === undefined ? undefined : names.get(tool_call_id);
  if (tool_call_id === undefined || tool === undefined) {
    return {
      role: 'user',
      parts: [
        { text: `<tool${name === undefined ? '' : ` name=${JSON.stringify(name)}`}>\n${text}\n</tool>` },
      ],
    };
  }
  return { role: 'tool', results: [{ callId: tool_call_id, name: tool, output: content }] };
}

function callsOf({ tool_calls = [] }: WireMessage): readonly ModelToolCall[] {
  return tool_calls.map(({ id, function: called }) => {
    const { name, arguments: input } = called as { name: string; arguments: string };
    return { callId: String(id), name, input: JSON.parse(input) as JsonValue };
  });
}

function partOf(part: JsonObject): ModelPart {
  const image = part['image_url'];
  if (!isObject(image)) return { text: String(part['text']) };
  const [, mediaType = '', base64 = ''] = /^data:([^;]+);base64,(.*)$/s.exec(String(image['url'])) ?? [];
  return { image: { mediaType, base64 } };
}

function asText(content: JsonValue): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
