import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';

import type { ModelMessage, ModelPart, ModelRequest, ModelToolResult } from '../core/model.ts';
import { given } from '../lib/given.ts';
import { echoedParts } from './echo.ts';

type UserContent = Extract<LanguageModelV4Message, { role: 'user' }>['content'];
type ToolContent = Extract<LanguageModelV4Message, { role: 'tool' }>['content'];
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

/**
 * Messages in the format of the AI SDK. When a provider allows no late system messages, they become a block of the
 * user.
 */
export function promptOf(messages: readonly ModelMessage[], takesLateSystem: boolean): LanguageModelV4Prompt {
  const firstOther = messages.findIndex(({ role }) => role !== 'system');
  return messages.map((message, position): LanguageModelV4Message => {
    switch (message.role) {
      case 'system':
        return takesLateSystem || firstOther < 0 || position < firstOther
          ? { role: 'system', content: message.text }
          : { role: 'user', content: [{ type: 'text', text: `<system>\n${message.text}\n</system>` }] };
      case 'user':
        return { role: 'user', content: message.parts.map(userPart) };
      case 'assistant':
        return { role: 'assistant', content: assistantContent(message) };
      case 'tool':
        return { role: 'tool', content: message.results.map(toolResult) };
      default:
        return message satisfies never;
    }
  });
}

/** The tools of a request in the format of the AI SDK. */
export function toolsOf({
  tools = [],
}: Pick<ModelRequest, 'tools'>): Pick<LanguageModelV4CallOptions, 'tools'> {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      ...given({ description }),
      inputSchema: { type: 'object', properties: {}, ...parameters } as never,
    })),
  };
}

function userPart(part: ModelPart): UserContent[number] {
  if ('text' in part) return { type: 'text', text: part.text };
  const { mediaType, base64 } = part.image;
  return { type: 'file', mediaType, data: { type: 'data', data: base64 } };
}

function assistantContent(message: Extract<ModelMessage, { role: 'assistant' }>): AssistantContent {
  const echoed = echoedParts(message.echo);
  if (echoed !== undefined) return echoed;
  const calls = (message.toolCalls ?? []).map(({ callId, name, input }) => ({
    type: 'tool-call' as const,
    toolCallId: callId,
    toolName: name,
    input,
  }));
  return [...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]), ...calls];
}

function toolResult({ callId, name, output, failed = false }: ModelToolResult): ToolContent[number] {
  const result = { type: 'tool-result' as const, toolCallId: callId, toolName: name };
  if (typeof output === 'string') {
    return { ...result, output: { type: failed ? 'error-text' : 'text', value: output } };
  }
  return { ...result, output: { type: failed ? 'error-json' : 'json', value: output as never } };
}
