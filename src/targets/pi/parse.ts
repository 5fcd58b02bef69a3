import type { Yielded } from '../../core/target.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { AgentFailure, AgentParser, ParserContext, Reading } from '../coding-agent/adapter.ts';
import { countedUsage, type UsageNames } from '../coding-agent/counted-usage.ts';
import { said, toolCall, toolResult } from '../coding-agent/entries.ts';
import { countAt, listAt, objectAt, textAt, timeAt } from '../coding-agent/fields.ts';
import { failedTurn } from '../coding-agent/said-failure.ts';
import { failureOf, startFailure } from './failure.ts';

/** Parses `--mode json`: messages count when they end. A failed answer may be retried; each attempt has its own end. */
export function piParser(context: ParserContext): AgentParser {
  const turn: Turn = { context, steps: 0, directory: undefined, last: {}, failed: undefined };
  return {
    line: (event) => readingOf(event, turn),
    end: (exit) => failedTurn(turn.failed ?? startFailure(exit)),
  };
}

interface Turn {
  readonly context: ParserContext;
  steps: number;
  /** Of the session. */
  directory: string | undefined;
  /** The last message of the assistant. */
  last: JsonObject;
  /** How the last attempt ended, until the next one begins. */
  failed: AgentFailure | undefined;
}

function readingOf(event: JsonObject, turn: Turn): Reading {
  const type = textAt(event, 'type') ?? 'without a type';
  switch (type) {
    case 'session':
      return sessionReading(event, turn);
    case 'message_end':
      return { entries: messageEntries(objectAt(event, 'message'), turn) };
    case 'tool_execution_end':
      return { entries: [resultEntry(event)] };
    case 'agent_end':
      return endReading(turn);
    case 'auto_retry_start':
      turn.failed = undefined;
      return {};
    case 'auto_retry_end':
      return event['success'] === false ? lastTryReading(event) : {};
    default:
      return IGNORED.has(type) ? {} : { unknown: type };
  }
}

/** Starts, growing messages, and repetitions. */
const IGNORED: ReadonlySet<string> = new Set([
  'agent_start',
  'turn_start',
  'turn_end',
  'message_start',
  'message_update',
  'tool_execution_start',
  'tool_execution_update',
  'queue_update',
  'compaction_start',
  'compaction_end',
]);

function sessionReading(event: JsonObject, turn: Turn): Reading {
  turn.directory = textAt(event, 'cwd');
  return given({ sessionId: textAt(event, 'id') });
}

/** It exits with 0 after every error of a model. */
function endReading(turn: Turn): Reading {
  const reason = textAt(turn.last, 'stopReason');
  if (reason === 'stop' || reason === 'length') return { terminal: { ok: true } };
  const message = textAt(turn.last, 'errorMessage') ?? `its last answer ended with ${reason ?? 'nothing'}`;
  turn.failed = failureOf(message);
  const note = 'pi was ended because it did not exit after an error';
  return { settles: { afterMs: SETTLES_MS, terminal: { ok: false, failure: turn.failed }, note } };
}

/** It reports a retry at once, and then waits. */
const SETTLES_MS = 10_000;

function lastTryReading(event: JsonObject): Reading {
  const message = textAt(event, 'finalError') ?? 'all its attempts failed';
  return failedTurn(failureOf(message));
}

function messageEntries(message: JsonObject, turn: Turn): readonly Yielded[] {
  if (textAt(message, 'role') !== 'assistant') return [];
  turn.last = message;
  const content = listAt(message, 'content');
  // An attempt that failed before its first text is not a step.
  if (content.length > 0) turn.steps += 1;
  const at = timeAt(message, 'timestamp');
  const place = { step: turn.steps, ...given({ at }) };
  return [
    ...content.flatMap((part) => partEntries(part, turn)).map((entry) => ({ ...entry, ...place })),
    ...usageEntries(objectAt(message, 'usage')),
  ];
}

function partEntries(part: JsonValue, { context, directory }: Turn): readonly Yielded[] {
  switch (textAt(part, 'type')) {
    case 'text':
      return said(textAt(part, 'text'));
    case 'thinking':
      return said(textAt(part, 'thinking'), { phase: 'thinking' });
    case 'toolCall': {
      const name = textAt(part, 'name') ?? '';
      const input = objectAt(part, 'arguments');
      const effects = context.effectsOf({ name, input, ...given({ directory }) });
      const callId = textAt(part, 'id') ?? '';
      return [toolCall({ callId, name, input, effects })];
    }
    default:
      return [];
  }
}

/** A price of 0 means that the price is unknown. */
function usageEntries(report: JsonObject): readonly Yielded[] {
  const usage = countedUsage(report, USAGE);
  if (usage === undefined || usage.totalTokens === 0) return [];
  const costUsd = countAt(objectAt(report, 'cost'), 'total') ?? 0;
  return [{ type: 'usage', ...usage, ...(costUsd === 0 ? {} : { costUsd }) }];
}

const USAGE: UsageNames = {
  input: 'input',
  output: 'output',
  read: 'cacheRead',
  written: 'cacheWrite',
  inputLacksCached: true,
};

function resultEntry(event: JsonObject): Yielded {
  const content = listAt(objectAt(event, 'result'), 'content');
  const texts = content.flatMap((part) => textAt(part, 'text') ?? []);
  const callId = textAt(event, 'toolCallId') ?? '';
  return toolResult({ callId, output: texts.join('\n'), hasFailed: event['isError'] === true });
}
