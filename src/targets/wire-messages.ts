import type { Message, Part } from '../core/message.ts';
import { given } from '../lib/given.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';

/** A message in the format for programs and services. */
export interface WireMessage {
  readonly role: string;
  readonly content: JsonValue;
  readonly name?: string;
  readonly tool_calls?: readonly JsonObject[];
  readonly tool_call_id?: string;
}

/**
 * Earlier messages in the format of chat completions; calls without an id get one, and tool messages the id of their
 * call.
 */
export async function wireMessages(
  messages: readonly Message[],
  contentOf: (parts: readonly Part[]) => Promise<JsonValue>,
): Promise<readonly WireMessage[]> {
  const unanswered: { readonly id: string; readonly tool: string }[] = [];
  let calls = 0;
  const wire: WireMessage[] = [];
  for (const { role, parts, name, toolCalls } of messages) {
    const started = (toolCalls ?? []).map(({ tool, input, id }) => ({
      tool,
      input,
      id: id ?? `call-${++calls}`,
    }));
    unanswered.push(...started);
    const answered = role === 'tool' ? takeAnswered(unanswered, name) : undefined;
    wire.push({
      role,
      content: await contentOf(parts),
      ...given({ name }),
      ...(started.length === 0 ? {} : { tool_calls: started.map(wireCall) }),
      ...given({ tool_call_id: answered }),
    });
  }
  return wire;
}

function wireCall({
  id,
  tool,
  input,
}: {
  id: string;
  tool: string;
  input?: JsonValue | undefined;
}): JsonObject {
  return { id, type: 'function', function: { name: tool, arguments: JSON.stringify(input ?? {}) } };
}

function takeAnswered(
  unanswered: { id: string; tool: string }[],
  name: string | undefined,
): string | undefined {
  const index = name === undefined ? 0 : unanswered.findIndex(({ tool }) => tool === name);
  return index < 0 ? undefined : unanswered.splice(index, 1)[0]?.id;
}
