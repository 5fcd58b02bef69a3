import type { JsonValue } from '../../lib/json.ts';
import { jsonIn } from '../../lib/text/json-in.ts';
import type { Reply } from './script.ts';

/** A request, as far as a script can inspect it. */
export interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  /** Since the last message of the user. */
  readonly toolResults: number;
  readonly allToolResults: number;
  readonly offersTools: boolean;
  /** Present when a structured answer is requested. */
  readonly schema?: unknown;
  /** The tool to call with the structured answer. */
  readonly schemaTool?: string;
  readonly isStreamed: boolean;
}

/** A complete reply. */
export interface Said {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly thinking: string;
  readonly toolCalls: readonly SaidCall[];
  readonly finish: 'stop' | 'length' | 'content-filter' | 'tool-calls';
  /** Undefined: not reported. */
  readonly usage: Tokens | undefined;
  readonly cost: Reply['cost'];
}

export interface SaidCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly input: string;
}

type Usage = NonNullable<Reply['usage']>;

export type Tokens = Readonly<Record<keyof Usage, number>>;

export interface Protocol {
  readonly name: string;
  read(body: JsonRecord, path: string): Asked;
  whole(said: Said, asked: Asked): JsonValue;
  /** Server-sent event frames, each without its last line break. */
  frames(said: Said): readonly string[];
  error(status: number, message: string): JsonValue;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Splits a text into the pieces of a stream. */
export function pieces(text: string): readonly string[] {
  return text.match(/.{1,12}/gsu) ?? [];
}

export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content))
    return content
      .map(textIn)
      .filter((text) => text !== '')
      .join('\n');
  if (typeof content !== 'object' || content === null) return '';
  const { text, content: inner, parts, output } = content as JsonRecord;
  return textIn(text ?? inner ?? parts ?? output);
}

export function data(value: JsonValue): string {
  return `data: ${JSON.stringify(value)}\n`;
}

export function event(type: string, value: { readonly [key: string]: JsonValue }): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n`;
}

/** The number of tool results in a conversation; the argument recognises them. */
export function toolResultCounts(
  items: readonly JsonRecord[],
  resultsIn: (item: JsonRecord) => number,
): Pick<Asked, 'toolResults' | 'allToolResults'> {
  const isUser = (item: JsonRecord): boolean => item['role'] === 'user' && resultsIn(item) === 0;
  const count = (some: readonly JsonRecord[]): number => some.reduce((sum, item) => sum + resultsIn(item), 0);
  return { toolResults: count(items.slice(items.findLastIndex(isUser) + 1)), allToolResults: count(items) };
}

export function offersTools({ tools }: JsonRecord): boolean {
  return Array.isArray(tools) && tools.length > 0;
}

/** The arguments of a call as a value; invalid JSON stays text. */
export function valueOf(input: string): JsonValue {
  const value = jsonIn(input);
  return value === undefined ? input : (value as JsonValue);
}

/** The usage format of both OpenAI protocols. */
export function openaiError(status: number, message: string): JsonValue {
  return { error: { message, type: status === 429 ? 'rate_limit_error' : 'error', param: null, code: null } };
}
