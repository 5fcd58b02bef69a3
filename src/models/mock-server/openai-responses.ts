import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import {
  event,
  offersTools,
  pieces,
  textIn,
  toolResultCounts,
  openaiError,
  type JsonRecord,
  type Protocol,
  type Said,
} from './protocol.ts';

/** `POST /responses` */
export const openaiResponses: Protocol = {
  name: 'openai-responses',
  read(body) {
    const { input } = body;
    const supplied = (
      typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? [])
    ) as readonly JsonRecord[];
    const format = (body['text'] as { format?: { type?: string; schema?: unknown } } | undefined)?.format;
    return {
      model: String(body['model']),
      messages: supplied.map((item) => ({ role: String(item['role'] ?? item['type']), text: textIn(item) })),
      ...toolResultCounts(supplied, ({ type }) => (type === 'function_call_output' ? 1 : 0)),
      offersTools: offersTools(body),
      ...(format === undefined || format.type === 'text' ? {} : { schema: format.schema ?? {} }),
      isStreamed: body['stream'] === true,
    };
  },
  whole: (said) => ({
    ...head(said),
    status: incomplete(said) === undefined ? 'completed' : 'incomplete',
    output: items(said),
    incomplete_details: incomplete(said) ?? null,
    ...usageOf(said),
  }),
  frames(said) {
    const response = { ...head(said), status: 'in_progress' };
    const end = incomplete(said) === undefined ? 'response.completed' : 'response.incomplete';
    return [
      event('response.created', { response }),
      ...items(said).flatMap((item, output_index) => framesOf(item, output_index)),
      event(end, {
        response: { ...head(said), incomplete_details: incomplete(said) ?? null, ...usageOf(said) },
      }),
    ];
  },
  error: openaiError,
};

function head({ id, model }: Said) {
  return { id, object: 'response', created_at: 0, model, error: null };
}

function items({ id, text, thinking, toolCalls }: Said): JsonObject[] {
  return [
    ...(thinking === ''
      ? []
      : [
          {
            type: 'reasoning',
            id: `rs_${id}`,
            summary: [{ type: 'summary_text', text: thinking }],
            encrypted_content: 'sealed',
          },
        ]),
    ...(text === '' && toolCalls.length > 0
      ? []
      : [
          {
            type: 'message',
            id: `msg_${id}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [] }],
          },
        ]),
    ...toolCalls.map((call) => ({
      type: 'function_call',
      id: `fc_${call.id}`,
      call_id: call.id,
      name: call.name,
      ...given({ namespace: call.namespace }),
      arguments: call.input,
      status: 'completed',
    })),
  ];
}

function framesOf(item: JsonObject, output_index: number): string[] {
  const id = String(item['id']);
  const added = {
    ...item,
    ...(item['type'] === 'function_call' ? { arguments: '' } : {}),
    ...(item['type'] === 'message' ? { content: [] } : {}),
  };
  const inner =
    item['type'] === 'message'
      ? pieces(textIn(item['content'])).map((delta) =>
          event('response.output_text.delta', { item_id: id, output_index, content_index: 0, delta }),
        )
      : item['type'] === 'function_call'
        ? pieces(String(item['arguments'])).map((delta) =>
            event('response.function_call_arguments.delta', { item_id: id, output_index, delta }),
          )
        : [];
  return [
    event('response.output_item.added', { output_index, item: added }),
    ...inner,
    event('response.output_item.done', { output_index, item }),
  ];
}

function incomplete({ finish }: Said): { reason: string } | undefined {
  if (finish === 'length') return { reason: 'max_output_tokens' };
  return finish === 'content-filter' ? { reason: 'content_filter' } : undefined;
}

function usageOf({ usage }: Said) {
  if (usage === undefined) return {};
  const { input, output, cacheRead, reasoning } = usage;
  return {
    usage: {
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      input_tokens_details: { cached_tokens: cacheRead },
      output_tokens_details: { reasoning_tokens: reasoning },
    },
  };
}
