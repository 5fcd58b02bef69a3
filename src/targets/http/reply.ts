import type { TurnEnd, Yielded } from '../../core/target.ts';
import { partsOf } from '../../core/message.ts';
import { usageOf } from '../../core/usage.ts';
import { MeasurementError } from '../../core/errors.ts';
import { given } from '../../lib/given.ts';
import { isObject, type JsonValue } from '../../lib/json.ts';
import { parseForeignJson, TooDeep } from '../../lib/text/json-depth.ts';
import { AMOUNT, isGiven, LIST, OBJECT, optional, required, TEXT, wrongAt } from '../answer-shape.ts';
import { contractBroken } from '../target-errors.ts';

/** One turn of an agent, as its service answered it. */
export interface Reply {
  /** Unchanged, to be sent back with the next turn. */
  readonly messages: readonly Record<string, unknown>[];
  readonly entries: readonly Yielded[];
  readonly ended: TurnEnd['ended'];
}

/**
 * Parses the body of an answer. `steps`: number of assistant messages in the session so far. Throws at the first
 * mistake, with the beginning of the body and an example of what is expected.
 */
export function readReply(body: Buffer, steps: number): Reply {
  try {
    return replyIn(required(parseJson(body), 'the top', OBJECT), steps);
  } catch (error) {
    if (error instanceof MeasurementError && error.kind === 'contract') throw withExample(error, body);
    throw error;
  }
}

const EXAMPLE_LIST = '[{"role": "assistant", "content": "Hello"}]';
const EXAMPLE = `{"messages": ${EXAMPLE_LIST}}`;
const MESSAGES = { ...LIST, wanted: `a list such as ${EXAMPLE_LIST}` };

const MOST_SHOWN = 500;

function withExample({ message, detail }: MeasurementError, body: Buffer): MeasurementError {
  // At most four bytes a character.
  const characters = Array.from(textOf(body.subarray(0, 4 * MOST_SHOWN)).trim());
  const text = characters.slice(0, MOST_SHOWN).join('');
  const start = body.length > Buffer.byteLength(text) + 3 ? `${text}...` : text;
  const answered = text === '' ? 'the body is empty' : `the answer was: ${start}`;
  return contractBroken(`${message}; ${answered}`, {
    ...given({ detail }),
    hint: `answer in the documented format, such as ${EXAMPLE}, or convert the answer in a target of type \`module\``,
  });
}

function replyIn(reply: Record<string, unknown>, steps: number): Reply {
  const messages = required(reply['messages'], 'messages', MESSAGES);
  const ended = endOf(reply['end']);
  if (messages.length === 0 && ended === undefined)
    throw wrongAt('messages', 'expected a message or `end`, got neither');
  const entries: Yielded[] = [];
  let step = steps;
  for (const [i, item] of messages.entries()) {
    const at = `messages.${i}`;
    const message = required(item, at, OBJECT);
    if (message['role'] === 'assistant') step += 1;
    readMessage(message, { at, step, isLast: i === messages.length - 1, entries });
  }
  const model = optional(reply['model'], 'model', TEXT);
  optional(reply['provider'], 'provider', TEXT);
  optional(reply['metadata'], 'metadata', OBJECT);
  const usage = usageEntry(reply['usage'], model);
  if (usage !== undefined) entries.push(usage);
  return { messages: messages as Record<string, unknown>[], entries, ended };
}

function parseJson(body: Buffer): unknown {
  try {
    return parseForeignJson(textOf(body));
  } catch (error) {
    if (error instanceof TooDeep) throw error;
    throw contractBroken('the answer is not JSON', {
      hint: 'answer with a JSON object in the documented format',
    });
  }
}

function textOf(body: Buffer): string {
  return body.toString('utf8', hasByteOrderMark(body) ? 3 : 0);
}

function hasByteOrderMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}

function endOf(end: unknown): TurnEnd['ended'] {
  if (!isGiven(end) || end === false) return undefined;
  if (end === true) return {};
  if (!isObject(end)) throw wrongAt('end', 'expected true or {reason}');
  const reason = optional(end['reason'], 'end.reason', TEXT);
  return reason === undefined ? {} : { reason };
}

interface Place {
  readonly at: string;
  readonly step: number;
  readonly isLast: boolean;
  readonly entries: Yielded[];
}

function readMessage(message: Record<string, unknown>, { at, step, isLast, entries }: Place): void {
  const role = required(message['role'], `${at}.role`, TEXT);
  if (role === 'tool' && !isLast) {
    const callId = required(message['tool_call_id'], `${at}.tool_call_id`, TEXT);
    if (message['content'] === undefined) throw wrongAt(`${at}.content`, 'expected content, got nothing');
    entries.push({ type: 'tool-result', callId, output: message['content'] as JsonValue, step });
    return;
  }
  if (role !== 'assistant') {
    const wanted = isLast && role === 'tool' ? '`assistant` for the last message' : '`assistant` or `tool`';
    throw wrongAt(`${at}.role`, `expected ${wanted}, got ${JSON.stringify(role.slice(0, 100))}`);
  }
  const calls = optional(message['tool_calls'], `${at}.tool_calls`, LIST) ?? [];
  const content = contentOf(message['content'], `${at}.content`, calls.length > 0);
  const isOnTheWay = calls.length > 0 && !isLast;
  if (!(isOnTheWay && content === '')) {
    const phase = isOnTheWay ? ({ phase: 'commentary' } as const) : {};
    entries.push({ type: 'message', role: 'assistant', ...phase, parts: partsOf(content), step });
  }
  for (const [i, call] of calls.entries()) entries.push(callEntry(call, `${at}.tool_calls.${i}`, step));
}

/** A blank answer is valid; only a message with tool calls may have no content. */
function contentOf(content: unknown, at: string, hasCalls: boolean): unknown {
  if (typeof content === 'string' || (typeof content === 'object' && content !== null)) return content;
  if (hasCalls && !isGiven(content)) return '';
  throw wrongAt(at, `expected a text, got ${JSON.stringify(content) ?? 'nothing'}`);
}

function callEntry(item: unknown, at: string, step: number): Yielded {
  const call = required(item, at, OBJECT);
  const callId = required(call['id'], `${at}.id`, TEXT);
  if (isGiven(call['type']) && call['type'] !== 'function')
    throw wrongAt(`${at}.type`, 'expected `function`');
  const called = required(call['function'], `${at}.function`, OBJECT);
  const name = required(called['name'], `${at}.function.name`, TEXT);
  return { type: 'tool-call', callId, name, input: argumentsOf(called['arguments']), step };
}

/** Parses JSON text; text that is not JSON is kept. */
function argumentsOf(supplied: unknown): JsonValue {
  if (typeof supplied !== 'string') return (supplied ?? {}) as JsonValue;
  try {
    return parseForeignJson(supplied) as JsonValue;
  } catch (error) {
    if (error instanceof TooDeep) throw error;
    return supplied;
  }
}

/** Input and output must both be known, one of them possibly from the total; parts are never guessed. */
function usageEntry(supplied: unknown, model: string | undefined): Yielded | undefined {
  const usage = optional(supplied, 'usage', OBJECT);
  const amount = (key: string): number | undefined => optional(usage?.[key], `usage.${key}`, AMOUNT);
  const prompt = amount('prompt_tokens');
  const completion = amount('completion_tokens');
  const total = amount('total_tokens');
  const input = prompt ?? difference(total, completion);
  const output = completion ?? difference(total, prompt);
  if (input === undefined || output === undefined) return undefined;
  return { type: 'usage', ...usageOf(input, output), ...given({ model }) };
}

function difference(total: number | undefined, part: number | undefined): number | undefined {
  return total === undefined || part === undefined || total < part ? undefined : total - part;
}
