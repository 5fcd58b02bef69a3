import type { Yielded } from '../../core/target.ts';
import type { ToolResultEntry } from '../../core/transcript.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { AgentParser, ParserContext, Reading } from '../coding-agent/adapter.ts';
import { asObject, countAt, listAt, objectAt, textAt, timeAt } from '../coding-agent/fields.ts';
import { readResult } from './result.ts';

/** Reads `--output-format stream-json`: one content block a line, lines of one message repeat its id. */
export function claudeParser(context: ParserContext): AgentParser {
  const messages = new Set<string>();
  const skillCalls = new Set<string>();
  let directory: string | undefined;
  /** The result of a skill call waits for the skill's body, which comes as a message of its own. */
  let held: (ToolResultEntry & { readonly at?: string }) | undefined;

  const released = (): readonly Yielded[] => {
    const entries = held === undefined ? [] : [held];
    held = undefined;
    return entries;
  };

  const assistant = (event: JsonObject): Reading => {
    const message = objectAt(event, 'message');
    if (textAt(message, 'model') === SYNTHETIC) return {};
    const parentCallId = textAt(event, 'parent_tool_use_id');
    const id = textAt(message, 'id');
    if (parentCallId === undefined && id !== undefined) messages.add(id);
    const place = {
      ...(parentCallId === undefined ? { step: messages.size } : { parentCallId }),
      ...timeOf(event),
    };
    const entries = listAt(message, 'content').flatMap((block) => blockEntries(asObject(block), place));
    return { entries };
  };

  const blockEntries = (block: JsonObject, place: Place): readonly Yielded[] => {
    switch (textAt(block, 'type')) {
      case 'text':
        return [
          { type: 'message', role: 'assistant', parts: [{ text: textAt(block, 'text') ?? '' }], ...place },
        ];
      case 'thinking': {
        const text = textAt(block, 'thinking') ?? '';
        return [{ type: 'message', role: 'assistant', phase: 'thinking', parts: [{ text }], ...place }];
      }
      case 'tool_use': {
        const name = textAt(block, 'name') ?? '';
        const callId = textAt(block, 'id') ?? '';
        const input = block['input'] ?? {};
        if (name === 'Skill') skillCalls.add(callId);
        const effects = context.effectsOf({ name, input, ...(directory === undefined ? {} : { directory }) });
        return [
          { type: 'tool-call', callId, name, input, ...(effects.length === 0 ? {} : { effects }), ...place },
        ];
      }
      default:
        return [];
    }
  };

  const user = (event: JsonObject): readonly Yielded[] => {
    const blocks = listAt(objectAt(event, 'message'), 'content').map(asObject);
    return blocks.flatMap((block): readonly Yielded[] => {
      if (textAt(block, 'type') !== 'tool_result') return [];
      const callId = textAt(block, 'tool_use_id') ?? '';
      const failed = block['is_error'] === true;
      const result: ToolResultEntry = {
        type: 'tool-result',
        callId,
        output: outputOf(block['content']),
        ...(failed ? { failed } : {}),
      };
      const entry = { ...result, ...timeOf(event) };
      if (!skillCalls.has(callId) || failed) return [entry];
      const before = released();
      held = entry;
      return before;
    });
  };

  const read = (event: JsonObject): Reading => {
    switch (textAt(event, 'type')) {
      case 'system':
        return system(event);
      case 'assistant':
        return assistant(event);
      case 'user':
        return { entries: user(event) };
      case 'result':
        return readResult(event, context);
      default:
        return { unknown: textAt(event, 'type') ?? 'an event without a type' };
    }
  };

  const system = (event: JsonObject): Reading => {
    const kind = textAt(event, 'subtype') ?? '';
    if (kind === 'init') {
      directory = textAt(event, 'cwd');
      const version = textAt(event, 'claude_code_version');
      return version === undefined ? {} : { version };
    }
    if (kind === 'api_retry') return retryReading(event);
    return KNOWN_SYSTEM.test(kind) ? {} : { unknown: `system/${kind}` };
  };

  return {
    line(event) {
      const body = skillBody(event);
      if (body !== undefined && held !== undefined) {
        held = { ...held, output: `${textOfOutput(held.output)}\n\n${body}` };
        return {};
      }
      const before = released();
      const { entries = [], ...reading } = read(event);
      const sessionId = textAt(event, 'session_id');
      return {
        ...reading,
        entries: [...before, ...entries],
        ...(sessionId === undefined ? {} : { sessionId }),
      };
    },
    end: ({ stderr }) => ({ entries: released(), ...notLoggedIn(stderr) }),
  };
}

type Place = { readonly step?: number; readonly parentCallId?: string; readonly at?: string };

/** The model that error notices of the program itself are laid to. */
const SYNTHETIC = '<synthetic>';

const KNOWN_SYSTEM = /^(task_\w+|thinking_tokens)$/;

/** It would try again ten times, with the same key. */
function retryReading(event: JsonObject): Reading {
  const status = countAt(event, 'error_status');
  if (status !== 401 && status !== 403) return {};
  const message = `the model provider answered ${status} (${textAt(event, 'error') ?? 'no reason given'})`;
  return { abandon: { kind: 'http-error', status, rejectsCredentials: true, message } };
}

function notLoggedIn(stderr: string): Reading {
  const line = stderr.split('\n').find((text) => /Not logged in|Invalid API key/.test(text));
  if (line === undefined) return {};
  return {
    terminal: { ok: false, failure: { kind: 'http-error', rejectsCredentials: true, message: line.trim() } },
  };
}

function timeOf(event: JsonObject): { readonly at?: string } {
  const at = timeAt(event, 'timestamp');
  return at === undefined ? {} : { at };
}

/** The text of a skill, which the program puts in as if the user had said it. */
function skillBody(event: JsonObject): string | undefined {
  if (event['type'] !== 'user' || event['isSynthetic'] !== true) return undefined;
  const texts = listAt(objectAt(event, 'message'), 'content').flatMap((block) => textAt(block, 'text') ?? []);
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** Text, or the texts of a list of parts; anything else as it is. */
function outputOf(content: JsonValue | undefined): JsonValue {
  if (!Array.isArray(content)) return content ?? '';
  const texts = (content as readonly JsonValue[]).map((part) => textAt(part, 'text'));
  return texts.some((text) => text === undefined) ? content : texts.join('\n');
}

function textOfOutput(output: JsonValue): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}
