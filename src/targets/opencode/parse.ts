import type { Yielded } from '../../core/target.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { AgentExit, AgentParser, ParserContext, Reading } from '../coding-agent/adapter.ts';
import { usageEntries, type UsageNames } from '../coding-agent/counted-usage.ts';
import { said, toolCall, toolResult } from '../coding-agent/entries.ts';
import { objectAt, textAt, timeAt } from '../coding-agent/fields.ts';
import { failedTurn } from '../coding-agent/said-failure.ts';
import { failureInStderr, failureOf, loggedFailure } from './failure.ts';

/** Parses `run --format json`. No event ends the turn: the last step and the exit do. */
export function opencodeParser(context: ParserContext): AgentParser {
  const turn: Turn = { context, step: 0, counted: new Set(), error: undefined, reason: undefined };
  return {
    line(event) {
      const sessionId = textAt(event, 'sessionID');
      return { ...readEvent(event, turn), ...given({ sessionId }) };
    },
    end: (exit) => endOf(exit, turn),
  };
}

interface Turn {
  readonly context: ParserContext;
  step: number;
  /** Ids of messages whose tokens are counted. */
  readonly counted: Set<string>;
  /** The first error is the cause. */
  error: JsonObject | undefined;
  /** Why the last step ended; undefined within a step. */
  reason: string | undefined;
}

function readEvent(event: JsonObject, turn: Turn): Reading {
  const part = objectAt(event, 'part');
  const at = given({ at: timeAt(event, 'timestamp') });
  switch (textAt(event, 'type')) {
    case 'step_start':
      turn.step += 1;
      turn.reason = undefined;
      return { stepBegan: turn.step };
    case 'text':
      return { entries: said(textAt(part, 'text'), { step: turn.step, ...at }) };
    case 'reasoning':
      return { entries: said(textAt(part, 'text'), { step: turn.step, phase: 'thinking', ...at }) };
    case 'tool_use':
      return { entries: toolEntries(part, turn) };
    case 'step_finish':
      turn.reason = textAt(part, 'reason');
      return { entries: countedOnce(part, turn) };
    case 'error':
      turn.error ??= event;
      return {};
    default:
      return { unknown: textAt(event, 'type') ?? 'without a type' };
  }
}

/** A call is reported when it has finished, with its result. */
function toolEntries(part: JsonObject, { step, context }: Turn): readonly Yielded[] {
  const name = textAt(part, 'tool') ?? '';
  const callId = textAt(part, 'callID') ?? textAt(part, 'id') ?? '';
  const state = objectAt(part, 'state');
  const input = state['input'] ?? {};
  const effects = context.effectsOf({ name, input, directory: textAt(input, 'workdir') ?? '' });
  const times = objectAt(state, 'time');
  return [
    toolCall({ callId, name, input, effects }, { step, ...given({ at: timeAt(times, 'start') }) }),
    toolResult(
      { callId, output: outputOf(state), hasFailed: hasFailed(state) },
      given({ at: timeAt(times, 'end') }),
    ),
  ];
}

function outputOf(state: JsonObject): JsonValue {
  return state['output'] ?? state['error'] ?? '';
}

/** A command with an exit code other than 0 is still `completed`. */
function hasFailed(state: JsonObject): boolean {
  const exit = objectAt(state, 'metadata')['exit'];
  return textAt(state, 'status') === 'error' || (typeof exit === 'number' && exit !== 0);
}

function countedOnce(part: JsonObject, { counted }: Turn): readonly Yielded[] {
  const tokens = objectAt(part, 'tokens');
  const entries = usageEntries({ ...objectAt(tokens, 'cache'), ...tokens }, USAGE);
  const id = textAt(part, 'messageID');
  if (entries.length === 0 || (id !== undefined && counted.has(id))) return [];
  if (id !== undefined) counted.add(id);
  return entries;
}

const USAGE: UsageNames = {
  input: 'input',
  output: 'output',
  read: 'read',
  written: 'write',
  reasoning: 'reasoning',
  inputLacksCached: true,
  outputLacksReasoning: true,
};

function endOf({ stderr }: AgentExit, { error, reason }: Turn): Reading {
  if (error !== undefined) return failedTurn(loggedFailure(error, stderr) ?? failureOf(error));
  if (reason !== undefined && reason !== 'tool-calls') return { terminal: { ok: true } };
  return failedTurn(failureInStderr(stderr));
}
