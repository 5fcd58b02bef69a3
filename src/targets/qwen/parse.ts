import type { Yielded } from '../../core/target.ts';
import { usageOf } from '../../core/usage.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { AgentFailure, AgentParser, ParserContext, Reading } from '../coding-agent/adapter.ts';
import { dialectParser, type Dialect } from '../coding-agent/claude-dialect.ts';
import { asObject, countAt, listAt, objectAt, textAt } from '../coding-agent/fields.ts';
import { failedTurn, loginFailure, saidFailure } from '../coding-agent/said-failure.ts';

/** Parses `--output-format stream-json`: events as of Claude Code, except for message ids and sums. */
export function qwenParser(context: ParserContext): AgentParser {
  const parser = dialectParser(DIALECT, context);
  /** A text that looks like a notice is one if the turn ends with an error. */
  let held: Reading | undefined;
  return {
    line(event) {
      const isFailure = event['type'] === 'result' && event['is_error'] !== false;
      const before = isFailure ? [] : (held?.entries ?? []);
      held = undefined;
      const { entries = [], ...reading } = parser.line(event);
      if (!looksLikeNotice(event)) return { ...reading, entries: [...before, ...entries] };
      held = { entries };
      return { ...reading, entries: before };
    },
    end(exit) {
      const reading = parser.end(exit);
      return { ...reading, entries: [...(held?.entries ?? []), ...(reading.entries ?? [])] };
    },
  };
}

const DIALECT: Dialect = {
  skillTool: 'skill',
  // Every block has its own id.
  messagesAreSteps: false,
  ignores: (kind) => kind === 'stream_event' || kind === 'system/retry',
  isNotice: () => false,
  usageOfMessage: usageEntries,
  result: readResult,
  end: () => ({}),
};

function looksLikeNotice(event: JsonObject): boolean {
  const content = event['type'] === 'assistant' ? listAt(objectAt(event, 'message'), 'content') : [];
  return content.length === 1 && NOTICE.test(textAt(asObject(content[0]), 'text') ?? '');
}

const NOTICE = /^\[API Error: /;

/** The result also counts requests outside of turns, and earlier turns. */
function usageEntries(message: JsonObject): readonly Yielded[] {
  const usage = objectAt(message, 'usage');
  const input = countAt(usage, 'input_tokens') ?? 0;
  const output = countAt(usage, 'output_tokens') ?? 0;
  if (input + output === 0) return [];
  const read = countAt(usage, 'cache_read_input_tokens');
  return [
    {
      type: 'usage',
      ...usageOf(input, output, read === undefined ? {} : { cacheReadTokens: read }),
    },
  ];
}

function readResult(event: JsonObject): Reading {
  if (event['is_error'] !== false || event['subtype'] !== 'success') {
    return failedTurn(failureOf(event));
  }
  const text = textAt(event, 'result');
  return { terminal: { ok: true, ...given({ text }) } };
}

function failureOf(event: JsonObject): AgentFailure {
  const subtype = textAt(event, 'subtype') ?? 'an error';
  const message =
    textAt(objectAt(event, 'error'), 'message') ?? textAt(event, 'result') ?? `ended with ${subtype}`;
  if (/^Missing API key\b/.test(message)) return loginFailure(message);
  const written = /^\[API Error: ([45]\d\d)\b/.exec(message)?.[1];
  const status = written === undefined ? undefined : Number(written);
  return status === 404 ? { kind: 'model-rejected', status, message } : saidFailure(message, status);
}
