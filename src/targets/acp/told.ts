import type { Yielded } from '../../core/target.ts';
import type { Usage } from '../../core/usage.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import type { ParserContext } from '../coding-agent/adapter.ts';
import { objectAt, textAt } from '../coding-agent/fields.ts';
import { looksLikeError } from './failure.ts';
import { callEntry, isOver, resultEntry, updatedCall, type AcpCall } from './tool-call.ts';
import { acpUsage, sumOf } from './usage.ts';

/** The content of the updates of one turn. */
export interface Told {
  readonly context: ParserContext;
  /** Chunks of one message, until something else arrives. */
  text: HeldText | undefined;
  /** Texts that look like errors; the end of the turn decides whether they are answers. */
  suspects: Yielded[];
  /** Notices of the program itself. */
  readonly notices: string[];
  readonly calls: Map<string, AcpCall>;
  /** Ids of reported calls. */
  readonly toldCalls: Set<string>;
  usage: Usage | undefined;
  hasSystemError: boolean;
}

interface HeldText {
  readonly isThought: boolean;
  readonly id: string | undefined;
  readonly text: string;
}

export function nothingTold(context: ParserContext): Told {
  return {
    context,
    text: undefined,
    suspects: [],
    notices: [],
    calls: new Map(),
    toldCalls: new Set(),
    usage: undefined,
    hasSystemError: false,
  };
}

/** The entries of one update; undefined for an unknown kind. */
export function tellUpdate(
  update: JsonObject,
  told: Told,
  agentName: string,
): readonly Yielded[] | undefined {
  switch (textAt(update, 'sessionUpdate')) {
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return tellChunk(update, told, agentName);
    case 'tool_call':
    case 'tool_call_update':
      return tellCall(update, told);
    case 'session_info_update': {
      const status = objectAt(objectAt(objectAt(update, '_meta'), 'codex'), 'threadStatus');
      if (status['type'] === 'systemError') told.hasSystemError = true;
      return [];
    }
    case 'user_message_chunk':
    case 'plan':
    case 'available_commands_update':
    case 'current_mode_update':
    case 'config_option_update':
    case 'usage_update':
      return [];
    default:
      return undefined;
  }
}

/** Buffered entries; texts that look like errors are kept back. */
export function releaseText(told: Told): readonly Yielded[] {
  const { text } = told;
  told.text = undefined;
  if (text === undefined || text.text === '') return [];
  const entry: Yielded = {
    type: 'message',
    role: 'assistant',
    ...(text.isThought ? { phase: 'thinking' } : {}),
    parts: [{ text: text.text }],
  };
  if (!text.isThought && looksLikeError(text.text)) {
    told.suspects.push(entry);
    return [];
  }
  return [...told.suspects.splice(0), entry];
}

/** Calls that never ended. */
export function releaseCalls(told: Told): readonly Yielded[] {
  return [...told.calls.values()].flatMap((call) => tellOnce(call, told));
}

/** codex-acp gives ids to its messages, but not to its notices. */
function tellChunk(update: JsonObject, told: Told, agentName: string): readonly Yielded[] {
  const piece = textAt(objectAt(update, 'content'), 'text') ?? '';
  const id = textAt(update, 'messageId');
  told.usage = sumOf(told.usage, acpUsage(objectAt(objectAt(update, '_meta'), 'usage')));
  if (piece === '') return [];
  if (id === undefined && agentName.includes('codex-acp')) {
    told.notices.push(piece.trim());
    return [];
  }
  const isThought = update['sessionUpdate'] === 'agent_thought_chunk';
  const { text } = told;
  const goesOn = text !== undefined && text.isThought === isThought && text.id === id;
  const before = goesOn ? [] : releaseText(told);
  told.text = { isThought, id, text: (goesOn ? text.text : '') + piece };
  return before;
}

function tellCall(update: JsonObject, told: Told): readonly Yielded[] {
  const id = textAt(update, 'toolCallId') ?? '';
  const call = updatedCall(told.calls.get(id), update);
  told.calls.set(id, call);
  if (isOver(call)) {
    const others = [...told.calls.values()].filter(({ fields }) => fields['status'] === 'in_progress');
    // Parallel calls have all begun before the first of them ends.
    const begun = [...others, call].flatMap((each) => tellOnce(each, told));
    told.calls.delete(id);
    return [...releaseText(told), ...told.suspects.splice(0), ...begun, resultEntry(call)];
  }
  return isReady(call, update)
    ? [...releaseText(told), ...told.suspects.splice(0), ...tellOnce(call, told)]
    : [];
}

/** A reported call cannot be reported again with more data, so its arguments must be complete. */
function isReady({ fields }: AcpCall, update: JsonObject): boolean {
  if (!isObject(fields['rawInput'])) return false;
  const bringsInput =
    update['sessionUpdate'] === 'tool_call_update' && Object.keys(objectAt(update, 'rawInput')).length > 0;
  return bringsInput || (fields['status'] ?? 'pending') !== 'pending';
}

function tellOnce(call: AcpCall, told: Told): readonly Yielded[] {
  if (told.toldCalls.has(call.callId)) return [];
  told.toldCalls.add(call.callId);
  return [callEntry(call, told.context)];
}
