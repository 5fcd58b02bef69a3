import type { Yielded } from '../../core/target.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { AgentParser, ParserContext, Reading } from '../coding-agent/adapter.ts';
import { said } from '../coding-agent/entries.ts';
import { listAt, objectAt, textAt, timeAt } from '../coding-agent/fields.ts';
import { failedTurn } from '../coding-agent/said-failure.ts';
import { knownFailure, readResult } from './result.ts';
import { callEntry, calledTool, mergedInput, resultEntry, type CursorCall } from './tool-call.ts';

/**
 * Parses `--output-format stream-json`. A call is reported when it has ended, because its arguments are complete only
 * then.
 */
export function cursorParser(context: ParserContext): AgentParser {
  const turn: Turn = { context, step: 0, modelCalls: new Set(), open: new Map(), thought: '' };
  return {
    line(event) {
      const sessionId = textAt(event, 'session_id');
      return { ...readEvent(event, turn), ...given({ sessionId }) };
    },
    end({ stderr }) {
      const entries = [...turn.open.values()].map((call) => callEntry(call, inSession(turn)));
      return { entries, ...failedTurn(knownFailure(stderr.trim())) };
    },
  };
}

interface Turn {
  readonly context: ParserContext;
  step: number;
  /** Ids of the model's responses. */
  readonly modelCalls: Set<string>;
  readonly open: Map<string, CursorCall>;
  thought: string;
  /** Of the session. */
  directory?: string;
}

function readEvent(event: JsonObject, turn: Turn): Reading {
  const type = textAt(event, 'type');
  switch (type) {
    case 'system': {
      const directory = textAt(event, 'cwd');
      if (directory !== undefined) turn.directory = directory;
      return {};
    }
    case 'user':
    case 'interaction_query':
      return {};
    case 'assistant':
      return { entries: messageEntries(event, turn) };
    case 'thinking':
      return { entries: thinkingEntries(event, turn) };
    case 'tool_call':
      return { entries: toolEntries(event, turn) };
    case 'result':
      return readResult(event);
    default:
      return { unknown: type ?? 'without a type' };
  }
}

/** A response of the model has an id, or is a single message. */
function stepOf(event: JsonObject, turn: Turn): number {
  const id = textAt(event, 'model_call_id');
  const isKnown = id === undefined ? event['type'] !== 'assistant' : turn.modelCalls.has(id);
  if (!isKnown || turn.step === 0) turn.step += 1;
  if (id !== undefined) turn.modelCalls.add(id);
  return turn.step;
}

function messageEntries(event: JsonObject, turn: Turn): readonly Yielded[] {
  const texts = listAt(objectAt(event, 'message'), 'content').flatMap((part) => textAt(part, 'text') ?? []);
  if (texts.length === 0) return [];
  const at = timeAt(event, 'timestamp_ms');
  return said(texts.join(''), { step: stepOf(event, turn), ...given({ at }) });
}

function thinkingEntries(event: JsonObject, turn: Turn): readonly Yielded[] {
  turn.thought += textAt(event, 'text') ?? '';
  if (textAt(event, 'subtype') !== 'completed' || turn.thought === '') return [];
  const text = turn.thought;
  turn.thought = '';
  return said(text, { phase: 'thinking', ...given({ at: timeAt(event, 'timestamp_ms') }) });
}

function toolEntries(event: JsonObject, turn: Turn): readonly Yielded[] {
  const callId = textAt(event, 'call_id') ?? '';
  const { name, body } = calledTool(event);
  const started = turn.open.get(callId);
  const call: CursorCall = {
    ...(started ?? {
      callId,
      name,
      step: stepOf(event, turn),
      ...given({ at: timeAt(event, 'timestamp_ms') }),
    }),
    input: mergedInput(started?.input ?? {}, objectAt(body, 'args')),
  };
  if (textAt(event, 'subtype') !== 'completed') {
    turn.open.set(callId, call);
    return [];
  }
  turn.open.delete(callId);
  const result = resultEntry(callId, objectAt(body, 'result'));
  return [callEntry(call, inSession(turn)), { ...result, ...given({ at: timeAt(event, 'timestamp_ms') }) }];
}

/** A call without a directory runs in that of the session. */
function inSession({ context, directory }: Turn): ParserContext {
  if (directory === undefined) return context;
  return {
    ...context,
    effectsOf: (call) => context.effectsOf(call.directory ? call : { ...call, directory }),
  };
}
