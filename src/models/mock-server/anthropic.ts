import type { JsonObject } from '../../lib/json.ts';
import {
  event,
  offersTools,
  pieces,
  textIn,
  toolResultCounts,
  valueOf,
  type JsonRecord,
  type Protocol,
  type Said,
} from './protocol.ts';

/** `POST /messages` */
export const anthropic: Protocol = {
  name: 'anthropic',
  read(body) {
    const messages = (body['messages'] ?? []) as readonly JsonRecord[];
    const schema = schemaIn(body);
    const system = body['system'] === undefined ? [] : [{ role: 'system', text: textIn(body['system']) }];
    return {
      model: String(body['model']),
      messages: [
        ...system,
        ...messages.map((message) => ({ role: roleOf(message), text: textIn(message['content']) })),
      ],
      ...toolResultCounts(messages, resultsIn),
      offersTools: offersTools(body),
      ...schema,
      isStreamed: body['stream'] === true,
    };
  },
  whole: (said) => ({
    ...head(said),
    content: blocks(said),
    stop_reason: FINISH[said.finish],
    stop_sequence: null,
    usage: usageOf(said),
  }),
  frames(said) {
    const usage = usageOf(said);
    return [
      event('message_start', {
        message: {
          ...head(said),
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...usage, output_tokens: 0 },
        },
      }),
      event('ping', {}),
      ...blocks(said).flatMap(blockFrames),
      event('message_delta', { delta: { stop_reason: FINISH[said.finish], stop_sequence: null }, usage }),
      event('message_stop', {}),
    ];
  },
  error: (status, message) => ({ type: 'error', error: { type: ERRORS[status] ?? 'api_error', message } }),
};

const FINISH = {
  stop: 'end_turn',
  length: 'max_tokens',
  'content-filter': 'refusal',
  'tool-calls': 'tool_use',
} as const;

const ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** A schema is the format of the output or, for older models, the input of a tool that must be called. */
function schemaIn(body: JsonRecord): { schema?: unknown; schemaTool?: string } {
  const format = (body['output_config'] as { format?: { schema?: unknown } } | undefined)?.format;
  if (format !== undefined) return { schema: format.schema ?? {} };
  const tools = (body['tools'] ?? []) as readonly { name?: string; input_schema?: unknown }[];
  const tool = tools.find(({ name }) => name === SCHEMA_TOOL);
  return tool === undefined ? {} : { schema: tool.input_schema ?? {}, schemaTool: SCHEMA_TOOL };
}

const SCHEMA_TOOL = 'json';

/** Results of tools are messages of the user. */
function roleOf(message: JsonRecord): string {
  return resultsIn(message) > 0 ? 'tool' : String(message['role']);
}

function resultsIn({ content }: JsonRecord): number {
  return Array.isArray(content) ? content.filter(({ type }: JsonRecord) => type === 'tool_result').length : 0;
}

function head({ id, model }: Said) {
  return { id, type: 'message', role: 'assistant', model };
}

function blocks({ text, thinking, toolCalls }: Said): JsonObject[] {
  return [
    ...(thinking === '' ? [] : [{ type: 'thinking', thinking, signature: 'signed' }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...toolCalls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input: valueOf(input) })),
  ];
}

function blockFrames(block: JsonObject, index: number): string[] {
  const delta = (value: JsonObject) => event('content_block_delta', { index, delta: value });
  const start = (content_block: JsonObject) => event('content_block_start', { index, content_block });
  const stop = event('content_block_stop', { index });
  switch (block['type']) {
    case 'thinking':
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        ...pieces(String(block['thinking'])).map((thinking) => delta({ type: 'thinking_delta', thinking })),
        delta({ type: 'signature_delta', signature: 'signed' }),
        stop,
      ];
    case 'text':
      return [
        start({ type: 'text', text: '' }),
        ...pieces(String(block['text'])).map((text) => delta({ type: 'text_delta', text })),
        stop,
      ];
    default:
      return [
        start({ ...block, input: {} }),
        ...pieces(JSON.stringify(block['input'])).map((partial_json) =>
          delta({ type: 'input_json_delta', partial_json }),
        ),
        stop,
      ];
  }
}

function usageOf({ usage }: Said) {
  const { input, output, cacheRead, cacheWrite } = usage ?? {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
  };
  return {
    input_tokens: input - cacheRead - cacheWrite,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    output_tokens: output,
  };
}
