import type { LanguageModelV4Content, LanguageModelV4Message } from '@ai-sdk/provider';

import { isObject, type JsonValue } from '../lib/json.ts';
import { parseForeignJson, TooDeep } from '../lib/text/json-depth.ts';

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

/**
 * The answer in the form that must be sent back to a provider which signs or encrypts parts of it (reasoning, tool
 * calls). Undefined when text and calls are enough.
 */
export function echoOf(content: readonly LanguageModelV4Content[]): JsonValue | undefined {
  const parts = content.flatMap((part): JsonValue[] => {
    const metadata = 'providerMetadata' in part ? part.providerMetadata : undefined;
    const options = metadata === undefined ? {} : { providerOptions: metadata as JsonValue };
    if (part.type === 'text' || part.type === 'reasoning') {
      return [{ type: part.type, text: part.text, ...options }];
    }
    if (part.type !== 'tool-call' || part.providerExecuted === true) return [];
    const { toolCallId, toolName } = part;
    return [{ type: 'tool-call', toolCallId, toolName, input: jsonOrText(part.input), ...options }];
  });
  const isPlain = parts.every(
    (part) => isObject(part) && part['type'] !== 'reasoning' && part['providerOptions'] === undefined,
  );
  return isPlain ? undefined : parts;
}

/** The parts of a message that `echoOf` kept. */
export function echoedParts(echo: JsonValue | undefined): AssistantContent | undefined {
  return Array.isArray(echo) ? (echo as unknown as AssistantContent) : undefined;
}

/** Parses a JSON text; returns the text itself when it is not JSON. */
export function jsonOrText(text: string): JsonValue {
  try {
    return text.trim() === '' ? {} : (parseForeignJson(text) as JsonValue);
  } catch (error) {
    if (error instanceof TooDeep) throw error;
    return text;
  }
}
