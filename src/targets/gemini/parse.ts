import type { Yielded } from '../../core/target.ts';
import { usageOf } from '../../core/usage.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { AgentParser, ParserContext, Reading } from '../coding-agent/adapter.ts';
import { said, toolCall, toolResult } from '../coding-agent/entries.ts';
import { countAt, objectAt, textAt, timeAt } from '../coding-agent/fields.ts';
import { failedTurn } from '../coding-agent/said-failure.ts';
import { failureInStderr, failureOf } from './failure.ts';

/** Parses `--output-format stream-json`; an answer comes in pieces, until another event comes. */
export function geminiParser(context: ParserContext): AgentParser {
  let held: HeldText | undefined;
  let failed: string | undefined;
  const released = (): readonly Yielded[] => {
    if (held === undefined) return [];
    const { text, ...at } = held;
    held = undefined;
    return said(text, at);
  };
  return {
    line(event) {
      const piece = pieceOf(event);
      if (piece !== undefined && event['delta'] === true) {
        held =
          held === undefined
            ? { text: piece, ...given({ at: timeAt(event, 'timestamp') }) }
            : { ...held, text: held.text + piece };
        return {};
      }
      const before = released();
      const { entries = [], ...reading } = readEvent(event, context);
      if (reading.terminal?.ok === false) failed = reading.terminal.failure.message;
      return { ...reading, entries: [...before, ...entries] };
    },
    end(exit) {
      const entries = released();
      const failure = failed === undefined ? failureInStderr(exit) : failureOf(failed, exit.exitCode);
      return { entries, ...failedTurn(failure) };
    },
  };
}

interface HeldText {
  readonly text: string;
  readonly at?: string;
}

function pieceOf(event: JsonObject): string | undefined {
  const isAnswer = event['type'] === 'message' && event['role'] === 'assistant';
  return isAnswer && typeof event['content'] === 'string' ? event['content'] : undefined;
}

function readEvent(event: JsonObject, context: ParserContext): Reading {
  switch (textAt(event, 'type')) {
    case 'init':
      return given({ sessionId: textAt(event, 'session_id') });
    case 'message': {
      const text = pieceOf(event) ?? '';
      return text === '' ? {} : { entries: said(text, given({ at: timeAt(event, 'timestamp') })) };
    }
    case 'tool_use':
      return { entries: [callEntry(event, context)] };
    case 'tool_result':
      return { entries: [resultEntry(event)] };
    case 'error':
      return { notes: [`gemini: ${textAt(event, 'message') ?? 'an error without a message'}`] };
    case 'result':
      return resultReading(event);
    default:
      return { unknown: textAt(event, 'type') ?? 'without a type' };
  }
}

function callEntry(event: JsonObject, { effectsOf }: ParserContext): Yielded {
  const name = textAt(event, 'tool_name') ?? '';
  const input = event['parameters'] ?? {};
  const effects = effectsOf({ name, input });
  const callId = textAt(event, 'tool_id') ?? '';
  return toolCall({ callId, name, input, effects }, given({ at: timeAt(event, 'timestamp') }));
}

/** The output of a failed call is only a summary of the error. */
function resultEntry(event: JsonObject): Yielded {
  const callId = textAt(event, 'tool_id') ?? '';
  const output = textAt(objectAt(event, 'error'), 'message') ?? event['output'] ?? '';
  const hasFailed = event['status'] === 'error';
  return toolResult({ callId, output, hasFailed }, given({ at: timeAt(event, 'timestamp') }));
}

function resultReading(event: JsonObject): Reading {
  const entries = usageEntries(objectAt(event, 'stats'));
  if (event['status'] === 'success') return { entries, terminal: { ok: true } };
  const message = textAt(objectAt(event, 'error'), 'message') ?? 'ended with an error';
  return { entries, ...failedTurn(failureOf(message, null)) };
}

/** Reasoning tokens are only in the total. */
function usageEntries(stats: JsonObject): readonly Yielded[] {
  const input = countAt(stats, 'input_tokens');
  const output = countAt(stats, 'output_tokens');
  if (input === undefined || output === undefined || input + output === 0) return [];
  const total = Math.max(countAt(stats, 'total_tokens') ?? 0, input + output);
  const cached = countAt(stats, 'cached');
  const usage = usageOf(input, total - input, {
    ...given({ cacheReadTokens: cached }),
    reasoningTokens: total - input - output,
  });
  return [{ type: 'usage', ...usage, derivesReasoning: true }];
}
