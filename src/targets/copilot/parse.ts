import type { Yielded } from '../../core/target.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { AgentExit, AgentParser, ParserContext, Reading, Terminal } from '../coding-agent/adapter.ts';
import { said, toolCall, toolResult } from '../coding-agent/entries.ts';
import { objectAt, textAt, timeAt } from '../coding-agent/fields.ts';
import { failedTurn, loginFailure } from '../coding-agent/said-failure.ts';
import { failureOf, NO_LOGIN } from './failure.ts';
import { usageEntries } from './usage.ts';

/** Parses `--output-format json`; ephemeral events are progress that a later event repeats. */
export function copilotParser(context: ParserContext): AgentParser {
  const turn: Turn = { context, messages: new Set(), error: undefined, settles: undefined };
  return {
    line(event) {
      if (event['ephemeral'] === true) return ephemeralReading(event, turn);
      turn.settles = undefined;
      return lastingReading(event, turn);
    },
    end: (exit) => ({ entries: usageEntries(exit.files, context), ...withoutResult(exit) }),
  };
}

interface Turn {
  readonly context: ParserContext;
  /** Ids of messages in the main loop. */
  readonly messages: Set<string>;
  error: JsonObject | undefined;
  /** When it reported that nothing is left to do. */
  settles: Reading['settles'];
}

/** The process does not exit, and prints no result, while a shell of the agent runs in the background. */
function ephemeralReading(event: JsonObject, turn: Turn): Reading {
  if (turn.settles === undefined && textAt(event, 'type') === 'assistant.idle') {
    const note =
      'copilot was ended because it did not exit after its turn, probably because of a background command';
    turn.settles = { afterMs: IDLE_MS, terminal: ended(turn), note };
  }
  return turn.settles === undefined ? {} : { settles: turn.settles };
}

const IDLE_MS = 10_000;

function lastingReading(event: JsonObject, turn: Turn): Reading {
  const type = textAt(event, 'type') ?? 'without a type';
  const data = objectAt(event, 'data');
  const at = given({ at: timeAt(event, 'timestamp') });
  switch (type) {
    case 'assistant.message':
      return { entries: messageEntries(data, turn).map((entry) => ({ ...entry, ...at })) };
    case 'tool.execution_start':
      return { entries: [{ ...callEntry(data, turn), ...at }] };
    case 'tool.execution_complete':
      return { entries: [{ ...resultEntry(data), ...at }] };
    case 'session.error':
      turn.error = data;
      return {};
    case 'abort':
      // An interrupted program prints a result with exit code 0.
      turn.error ??= { message: `it was interrupted (${textAt(data, 'reason') ?? 'no reason given'})` };
      return {};
    case 'result':
      return resultReading(event, turn);
    default:
      return IGNORED.test(type) ? {} : { unknown: type };
  }
}

/** Echoes, bookkeeping, and repetitions of other events. */
const IGNORED =
  /^(user\.message|assistant\.turn_(start|end)|(session|subagent|skill|hook|permission|system)\..+)$/;

function resultReading(event: JsonObject, turn: Turn): Reading {
  const sessionId = textAt(event, 'sessionId');
  const exitCode = event['exitCode'];
  if (exitCode !== 0) turn.error ??= { message: `the agent reported exit code ${String(exitCode)}` };
  return { terminal: ended(turn), ...given({ sessionId }) };
}

function ended({ error }: Turn): Terminal {
  return error === undefined ? { ok: true } : { ok: false, failure: failureOf(error) };
}

function messageEntries(data: JsonObject, turn: Turn): readonly Yielded[] {
  const parent = parentOf(data);
  const id = textAt(data, 'messageId');
  if (parent.parentCallId === undefined && id !== undefined) turn.messages.add(id);
  const place = { ...parent, ...stepOf(parent, turn) };
  return [
    ...said(textAt(data, 'reasoningText'), { phase: 'thinking', ...place }),
    ...said(textAt(data, 'content'), place),
  ];
}

function callEntry(data: JsonObject, turn: Turn): Yielded {
  const parent = parentOf(data);
  const name = textAt(data, 'toolName') ?? '';
  const input = data['arguments'] ?? {};
  const effects = turn.context.effectsOf({ name, input });
  const callId = textAt(data, 'toolCallId') ?? '';
  return toolCall({ callId, name, input, effects }, { ...parent, ...stepOf(parent, turn) });
}

/** A failed command is a success with an exit code. */
function resultEntry(data: JsonObject): Yielded {
  const exitCode = objectAt(data, 'shellExecution')['exitCode'];
  const hasFailed = data['success'] === false || (typeof exitCode === 'number' && exitCode !== 0);
  return toolResult({ callId: textAt(data, 'toolCallId') ?? '', output: outputOf(data), hasFailed });
}

function outputOf(data: JsonObject): JsonValue {
  const result = objectAt(data, 'result');
  const error = textAt(objectAt(data, 'error'), 'message');
  return textAt(result, 'detailedContent') ?? textAt(result, 'content') ?? error ?? '';
}

function parentOf(data: JsonObject): { readonly parentCallId?: string } {
  return given({ parentCallId: textAt(data, 'parentToolCallId') });
}

function stepOf(parent: { readonly parentCallId?: string }, { messages }: Turn): { readonly step?: number } {
  return parent.parentCallId === undefined ? { step: messages.size } : {};
}

function withoutResult({ stderr }: AgentExit): Reading {
  return failedTurn(NO_LOGIN.test(stderr) ? loginFailure(stderr.trim()) : undefined);
}
