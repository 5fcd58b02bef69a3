import type { Yielded } from '../../core/target.ts';
import type { ToolResultEntry } from '../../core/transcript.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { AgentExit, AgentParser, ParserContext, Reading } from './adapter.ts';
import { said, toolCall, toolResult, type EntryPlace } from './entries.ts';
import { asObject, countAt, listAt, objectAt, textAt, timeAt } from './fields.ts';

/** The differences between programs with the output format of Claude Code. */
export interface Dialect {
  readonly skillTool: string;
  /** A new message id is a new step; otherwise the engine counts by batches. */
  readonly messagesAreSteps: boolean;
  /** Known and ignored kinds of events (`type`, or `system/<subtype>`). */
  ignores(kind: string): boolean;
  /** Whether an assistant message is an error notice of the program itself. */
  isNotice(message: JsonObject): boolean;
  /** The meaning of an assistant message's usage; called once per line. */
  usageOfMessage(message: JsonObject): readonly Yielded[];
  result(event: JsonObject, context: ParserContext): Reading;
  end(exit: AgentExit): Reading;
}

/** Parses one turn of such a program. */
export function dialectParser(dialect: Dialect, context: ParserContext): AgentParser {
  const turn: Turn = { dialect, context, messages: new Set(), skillCalls: new Set(), directory: undefined };
  /** The result of a skill call waits for the body of the skill, which is a separate message. */
  let held: HeldResult | undefined;
  const released = (): readonly Yielded[] => {
    const entries = held === undefined ? [] : [held];
    held = undefined;
    return entries;
  };
  return {
    line(event) {
      const body = skillBody(event);
      if (body !== undefined && held !== undefined) {
        held = { ...held, output: `${textOfOutput(held.output)}\n\n${body}` };
        return {};
      }
      const before = released();
      const { entries = [], ...reading } = read(event, turn);
      const last = entries.at(-1);
      if (last?.type === 'tool-result' && turn.skillCalls.has(last.callId) && last.failed !== true)
        held = last;
      const sessionId = textAt(event, 'session_id');
      return {
        ...reading,
        entries: [...before, ...(held === undefined ? entries : entries.slice(0, -1))],
        ...given({ sessionId }),
      };
    },
    end: (exit) => ({ entries: released(), ...dialect.end(exit) }),
  };
}

type HeldResult = ToolResultEntry & { readonly at?: string };

interface Turn {
  readonly dialect: Dialect;
  readonly context: ParserContext;
  /** Ids of messages in the main loop. */
  readonly messages: Set<string>;
  readonly skillCalls: Set<string>;
  /** Of the session. */
  directory: string | undefined;
}

function read(event: JsonObject, turn: Turn): Reading {
  const type = textAt(event, 'type');
  const kind = type === 'system' ? `system/${textAt(event, 'subtype') ?? ''}` : (type ?? 'without a type');
  switch (kind) {
    case 'system/init':
      return initReading(event, turn);
    case 'system/api_retry':
      return retryReading(event);
    case 'assistant':
      return { entries: assistantEntries(event, turn) };
    case 'user':
      return { entries: resultEntries(event) };
    case 'result':
      return turn.dialect.result(event, turn.context);
    default:
      return turn.dialect.ignores(kind) ? {} : { unknown: kind };
  }
}

function initReading(event: JsonObject, turn: Turn): Reading {
  turn.directory = textAt(event, 'cwd');
  const version = textAt(event, 'claude_code_version');
  return version === undefined ? {} : { version };
}

/** It would retry ten times with the same key. */
function retryReading(event: JsonObject): Reading {
  const status = countAt(event, 'error_status');
  if (status !== 401 && status !== 403) return {};
  const message = `the model provider answered ${status} (${textAt(event, 'error') ?? 'no reason given'})`;
  return { abandon: { kind: 'http-error', status, rejectsCredentials: true, message } };
}

function assistantEntries(event: JsonObject, turn: Turn): readonly Yielded[] {
  const { dialect, messages } = turn;
  const message = objectAt(event, 'message');
  if (dialect.isNotice(message)) return [];
  const parentCallId = textAt(event, 'parent_tool_use_id');
  const id = textAt(message, 'id');
  if (parentCallId === undefined && id !== undefined) messages.add(id);
  const place: EntryPlace = {
    ...given({ parentCallId }),
    ...(parentCallId === undefined && dialect.messagesAreSteps ? { step: messages.size } : {}),
    ...given({ at: timeAt(event, 'timestamp') }),
  };
  const blocks = listAt(message, 'content').flatMap((block) => blockEntries(asObject(block), place, turn));
  return [...blocks, ...dialect.usageOfMessage(message)];
}

function blockEntries(block: JsonObject, place: EntryPlace, turn: Turn): readonly Yielded[] {
  switch (textAt(block, 'type')) {
    case 'text':
      return said(textAt(block, 'text'), place);
    case 'thinking':
      return said(textAt(block, 'thinking'), { phase: 'thinking', ...place });
    case 'tool_use':
      return [callEntry(block, place, turn)];
    default:
      return [];
  }
}

function callEntry(block: JsonObject, place: EntryPlace, turn: Turn): Yielded {
  const { dialect, context, skillCalls, directory } = turn;
  const name = textAt(block, 'name') ?? '';
  const callId = textAt(block, 'id') ?? '';
  const input = block['input'] ?? {};
  if (name === dialect.skillTool) skillCalls.add(callId);
  const effects = context.effectsOf({ name, input, ...given({ directory }) });
  return toolCall({ callId, name, input, effects }, place);
}

/** Everything else in a user message is an echo, or text of the program. */
function resultEntries(event: JsonObject): readonly Yielded[] {
  const blocks = listAt(objectAt(event, 'message'), 'content').map(asObject);
  return blocks
    .filter((block) => textAt(block, 'type') === 'tool_result')
    .map((block) => {
      const callId = textAt(block, 'tool_use_id') ?? '';
      const result = { callId, output: outputOf(block['content']), hasFailed: block['is_error'] === true };
      return toolResult(result, given({ at: timeAt(event, 'timestamp') }));
    });
}

/** The text of a skill, which the program inserts as a user message. */
function skillBody(event: JsonObject): string | undefined {
  if (event['type'] !== 'user' || event['isSynthetic'] !== true) return undefined;
  const texts = listAt(objectAt(event, 'message'), 'content').flatMap((block) => textAt(block, 'text') ?? []);
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** A text, or the texts of a list of parts; other values stay unchanged. */
function outputOf(content: JsonValue | undefined): JsonValue {
  if (!Array.isArray(content)) return content ?? '';
  const texts = (content as readonly JsonValue[]).map((part) => textAt(part, 'text'));
  return texts.some((text) => text === undefined) ? content : texts.join('\n');
}

function textOfOutput(output: JsonValue): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}
