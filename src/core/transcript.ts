import { given } from '../lib/given.ts';
import type { JsonValue } from '../lib/json.ts';
import { textOf, type Part } from './message.ts';
import type { Usage } from './usage.ts';

/** The effects of a tool call, as far as the adapter can tell. */
export type Effect =
  | { readonly command: string }
  | { readonly fileRead: string }
  | { readonly fileWrite: string }
  | {
      readonly skillUse: string;
      readonly confidence: 'explicit' | 'strong' | 'medium' | 'weak';
      readonly evidence: string;
    };

export interface MessageEntry {
  readonly type: 'message';
  readonly role: 'system' | 'user' | 'assistant';
  /** Absent in an assistant message: it is final. */
  readonly phase?: 'thinking' | 'commentary' | 'final';
  readonly parts: readonly Part[];
  /** The sub-agent call that this message belongs to; it is for the agent and not for the user. */
  readonly parentCallId?: string;
}

export interface ToolCallEntry {
  readonly type: 'tool-call';
  readonly callId: string;
  readonly name: string;
  readonly input: JsonValue;
  /** The sub-agent call that this call belongs to. */
  readonly parentCallId?: string;
  readonly effects?: readonly Effect[];
}

export interface ToolResultEntry {
  readonly type: 'tool-result';
  readonly callId: string;
  readonly output: JsonValue;
  readonly failed?: boolean;
  /** The planned misbehaviour that produced this result. */
  readonly fault?: string;
  readonly durationMs?: number;
}

/** Usage of the agent, never of a simulated user or a judge. Without `totalTokens` only its cost is known. */
export interface UsageEntry extends Partial<Usage> {
  readonly type: 'usage';
  readonly model?: string;
  /** USD as the agent reported it; absent when unknown. */
  readonly costUsd?: number;
  /** Spent outside the main loop, such as for titles and summaries. */
  readonly auxiliary?: boolean;
  /** Reasoning tokens were computed from the other counts, not reported. */
  readonly derivesReasoning?: true;
}

/** An event, before the engine adds its time and turn. */
export type EntryBody = MessageEntry | ToolCallEntry | ToolResultEntry | UsageEntry;

/**
 * The place of an entry. `turn` counts the messages of both sides from 1; `step` is one response of the agent's model.
 */
export interface EntryPlace {
  readonly id: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string;
  readonly turn: number;
  readonly step?: number;
}

/** One thing that happened in a session. */
export type TranscriptEntry = EntryBody & EntryPlace;

/** Everything that happened in a session, in order. */
export type Transcript = readonly TranscriptEntry[];

/** The text of the last final assistant message, structured content as compact JSON; '' if there is no such message. */
export function finalAnswer(transcript: Transcript): string {
  for (let i = transcript.length - 1; i >= 0; i--) {
    const entry = transcript[i];
    if (entry !== undefined && isAnswer(entry)) return textOf(entry.parts);
  }
  return '';
}

/** Whether the agent said this entry to the user. */
export function isAnswer(entry: EntryBody): entry is MessageEntry {
  if (entry.type !== 'message' || entry.role !== 'assistant') return false;
  return (entry.phase ?? 'final') === 'final' && entry.parentCallId === undefined;
}

/** The tokens of a usage entry; undefined when they were not reported. */
export function tokensOf(entry: UsageEntry): Usage | undefined {
  const { inputTokens, outputTokens, totalTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } =
    entry;
  if (inputTokens === undefined || outputTokens === undefined || totalTokens === undefined) return undefined;
  return {
    inputTokens,
    ...given({ cacheReadTokens, cacheWriteTokens }),
    outputTokens,
    ...given({ reasoningTokens }),
    totalTokens,
  };
}

/**
 * The tool calls of a transcript, each with its result if there is one. Some agents restart call ids in every turn. A
 * result then belongs to the first waiting call with its id.
 */
export function toolCalls(
  transcript: Transcript,
): readonly { readonly call: ToolCallEntry & EntryPlace; readonly result?: ToolResultEntry & EntryPlace }[] {
  const calls: Called[] = [];
  const waiting = new Map<string, readonly Called[]>();
  const early = new Map<string, ToolResultEntry & EntryPlace>();
  for (const entry of transcript) {
    if (entry.type !== 'tool-call' && entry.type !== 'tool-result') continue;
    const same = waiting.get(entry.callId) ?? [];
    const [first, ...others] = same;
    if (entry.type === 'tool-call') {
      const result = early.get(entry.callId);
      early.delete(entry.callId);
      const called: Called = { call: entry, ...given({ result }) };
      calls.push(called);
      waiting.set(entry.callId, [...same.filter((other) => other.result === undefined), called]);
    } else if (first === undefined) {
      early.set(entry.callId, entry);
    } else {
      // If no call is waiting, the last result counts.
      first.result = entry;
      if (others.length > 0) waiting.set(entry.callId, others);
    }
  }
  return calls;
}

/** The effects of calls that did not fail. */
export function effectsOf(transcript: Transcript): readonly Effect[] {
  return toolCalls(transcript).flatMap(({ call, result }) =>
    result?.failed === true ? [] : (call.effects ?? []),
  );
}

interface Called {
  readonly call: ToolCallEntry & EntryPlace;
  result?: ToolResultEntry & EntryPlace;
}
