import { textOf } from '../../core/message.ts';
import type { Yielded } from '../../core/target.ts';
import { isAnswer } from '../../core/transcript.ts';
import { usageOf } from '../../core/usage.ts';
import { given } from '../../lib/given.ts';
import { isObject, type JsonValue } from '../../lib/json.ts';
import { refuseDeep } from '../../lib/text/json-depth.ts';
import { AMOUNT, isGiven, LIST, OBJECT, optional, required, TEXT, wrongAt } from '../answer-shape.ts';
import { jsonIn } from '../../lib/text/json-in.ts';

export interface Answer {
  readonly entries: readonly Yielded[];
  /** The entries contain the whole content. */
  readonly saysItAll: boolean;
  readonly notes: readonly string[];
}

/** The answer of a program. `calls`: number of calls in the session so far, for new ids. */
export function answerEntries(content: string, calls: number): Answer {
  const document = envelopeOf(content);
  if (document === undefined) return { entries: [finalMessage(content)], saysItAll: true, notes: [] };
  const text = optional(document['text'], 'text', TEXT);
  const output = optional(document['output'], 'output', LIST);
  const entries = outputEntries(output ?? [], calls);
  if (text !== undefined && text !== lastAnswer(entries)) entries.push(finalMessage(text));
  const usage = usageEntry(document);
  if (usage !== undefined) entries.push(usage);
  const saysItAll = Object.keys(document).every((key) => key === 'text');
  return { entries, saysItAll, notes: notesOn(document) };
}

/** Parses an answer with `text` or `output`; any other content is the answer itself. */
function envelopeOf(content: string): Record<string, unknown> | undefined {
  const document = content.trimStart().startsWith('{') ? jsonIn(content) : undefined;
  if (!isObject(document) || !(isGiven(document['text']) || isGiven(document['output']))) return undefined;
  refuseDeep(document);
  return document;
}

function outputEntries(output: readonly unknown[], before: number): Yielded[] {
  const entries: Yielded[] = [];
  const unanswered: OpenCall[] = [];
  let calls = before;
  for (const [i, item] of output.entries()) {
    const at = `output.${i}`;
    const message = required(item, at, OBJECT);
    const role = required(message['role'], `${at}.role`, TEXT);
    if (role === 'tool') {
      const open = unanswered.findIndex(
        ({ started: { name } }) => message['name'] === undefined || name === message['name'],
      );
      const [call] = open < 0 ? [] : unanswered.splice(open, 1);
      if (call === undefined) throw wrongAt(at, 'no earlier call for this tool message');
      entries.push(resultOf(call, (message['content'] ?? null) as JsonValue));
    }
    if (role !== 'assistant') continue;
    const toolCalls = optional(message['tool_calls'], `${at}.tool_calls`, LIST) ?? [];
    const isLast = i === output.length - 1;
    entries.push(...messageEntries(message['content'], toolCalls.length > 0 && !isLast));
    for (const [j, call] of toolCalls.entries()) {
      const { output: own, ...made } = callOf(call, `${at}.tool_calls.${j}`, `call-${++calls}`);
      entries.push(made.started);
      if (own === undefined) unanswered.push(made);
      else entries.push(resultOf(made, own));
    }
  }
  // A call with a duration has ended, even without a result.
  for (const call of unanswered) {
    if (call.durationMs !== undefined)
      entries.splice(entries.indexOf(call.started) + 1, 0, resultOf(call, null));
  }
  return entries;
}

interface OpenCall {
  readonly started: CallEntry;
  readonly durationMs?: number;
}

function resultOf({ started: { callId }, durationMs }: OpenCall, output: JsonValue): Yielded {
  return { type: 'tool-result', callId, output, ...given({ durationMs }) };
}

function messageEntries(content: unknown, isOnTheWay: boolean): readonly Yielded[] {
  if (!isGiven(content) || (isOnTheWay && content === '')) return [];
  const parts = typeof content === 'string' ? [{ text: content }] : [{ json: content as JsonValue }];
  return [{ type: 'message', role: 'assistant', ...(isOnTheWay ? { phase: 'commentary' } : {}), parts }];
}

type CallEntry = Extract<Yielded, { type: 'tool-call' }>;

function callOf(item: unknown, at: string, newId: string): OpenCall & { readonly output?: JsonValue } {
  const call = required(item, at, OBJECT);
  const name = required(call['tool'], `${at}.tool`, TEXT);
  const callId = optional(call['id'], `${at}.id`, TEXT) ?? newId;
  const durationMs = optional(call['duration_ms'], `${at}.duration_ms`, AMOUNT);
  const started: CallEntry = { type: 'tool-call', callId, name, input: (call['input'] ?? {}) as JsonValue };
  return {
    started,
    ...given({ durationMs }),
    ...(call['output'] === undefined ? {} : { output: call['output'] as JsonValue }),
  };
}

/** A cost without tokens is kept: unknown tokens are not 0. */
function usageEntry(document: Record<string, unknown>): Yielded | undefined {
  const tokens = optional(document['token_usage'], 'token_usage', OBJECT);
  const costUsd = optional(document['cost_usd'], 'cost_usd', AMOUNT);
  if (tokens === undefined && costUsd === undefined) return undefined;
  const cost = costUsd === undefined ? {} : { costUsd };
  if (tokens === undefined) return { type: 'usage', ...cost };
  const amount = (key: string): number => required(tokens[key], `token_usage.${key}`, AMOUNT);
  const cached = isGiven(tokens['cached']) ? { cacheReadTokens: amount('cached') } : {};
  return { type: 'usage', ...usageOf(amount('input'), amount('output'), cached), ...cost };
}

/** Durations are measured; the value of the program is only a note. */
function notesOn(document: Record<string, unknown>): readonly string[] {
  const durationMs = optional(document['duration_ms'], 'duration_ms', AMOUNT);
  return durationMs === undefined ? [] : [`the program reports a duration of ${durationMs} ms`];
}

function finalMessage(text: string): Yielded {
  return { type: 'message', role: 'assistant', parts: [{ text }] };
}

function lastAnswer(entries: readonly Yielded[]): string | undefined {
  const last = entries.filter(isAnswer).at(-1);
  return last === undefined ? undefined : textOf(last.parts);
}
