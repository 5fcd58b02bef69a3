import type { JsonObject, JsonValue } from '../lib/json.ts';

/** A piece of a message: text, a file or image by absolute path, or a JSON value. */
export type Part =
  | { readonly text: string }
  | { readonly file: string }
  | { readonly image: string }
  | { readonly json: JsonValue };

export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** A message as an author wrote it: history before the conversation, or a reference answer. */
export interface Message {
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly name?: string;
  readonly toolCalls?: readonly WrittenCall[];
}

/** A tool call as an author wrote it, with its result if there is one. */
export interface WrittenCall {
  readonly tool: string;
  readonly input?: JsonValue;
  readonly output?: JsonValue;
  readonly id?: string;
  readonly durationMs?: number;
}

/** What a user says in one turn. */
export interface UserMessage {
  readonly parts: readonly Part[];
}

/** The text of message parts, one per line: structured content as compact JSON, files as their path. */
export function textOf(parts: readonly Part[]): string {
  const only = parts[0];
  if (parts.length === 1 && only !== undefined) return partText(only);
  return parts.map(partText).join('\n');
}

/** The structured value of a message that is exactly one JSON part, else undefined. */
export function jsonOf(parts: readonly Part[]): JsonValue | undefined {
  const only = parts[0];
  return parts.length === 1 && only !== undefined && 'json' in only ? only.json : undefined;
}

/** Message parts from the content of another program: text stays text, everything else becomes a JSON part. */
export function partsOf(content: unknown): readonly Part[] {
  if (typeof content === 'string') return [{ text: content }];
  return content === undefined || content === null ? [] : [{ json: content as JsonObject }];
}

function partText(part: Part): string {
  if ('text' in part) return part.text;
  if ('json' in part) return typeof part.json === 'string' ? part.json : JSON.stringify(part.json);
  return 'file' in part ? part.file : part.image;
}
