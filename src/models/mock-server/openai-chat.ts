import { given } from '../../lib/given.ts';
import type { JsonValue } from '../../lib/json.ts';
import {
  data,
  offersTools,
  pieces,
  textIn,
  toolResultCounts,
  openaiError,
  type JsonRecord,
  type Protocol,
  type Said,
} from './protocol.ts';

/** `POST /chat/completions` */
export const openaiChat: Protocol = {
  name: 'openai-chat',
  read(body) {
    const messages = (body['messages'] ?? []) as readonly JsonRecord[];
    const format = body['response_format'] as
      | { type?: string; json_schema?: { schema?: unknown } }
      | undefined;
    return {
      model: String(body['model']),
      messages: messages.map(({ role, content }) => ({ role: String(role), text: textIn(content) })),
      ...toolResultCounts(messages, ({ role }) => (role === 'tool' ? 1 : 0)),
      offersTools: offersTools(body),
      ...(format === undefined || format.type === 'text' ? {} : { schema: format.json_schema?.schema ?? {} }),
      isStreamed: body['stream'] === true,
    };
  },
  whole: (said) => ({
    ...head(said, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: said.text === '' && said.toolCalls.length > 0 ? null : said.text,
          ...(said.thinking === '' ? {} : { reasoning_content: said.thinking }),
          ...(said.toolCalls.length === 0 ? {} : { tool_calls: said.toolCalls.map(call) }),
        },
        finish_reason: FINISH[said.finish],
      },
    ],
    ...usageOf(said),
  }),
  frames(said) {
    const chunk = (delta: JsonValue, finish: string | null = null): string =>
      data({ ...head(said, 'chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: finish }] });
    const usage = usageOf(said);
    return [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(said.thinking).map((reasoning_content) => chunk({ reasoning_content })),
      ...pieces(said.text).map((content) => chunk({ content })),
      ...said.toolCalls.flatMap((each, index) => {
        const [first = '', ...rest] = pieces(each.input);
        return [
          chunk({ tool_calls: [{ index, ...call({ ...each, input: first }) }] }),
          ...rest.map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
        ];
      }),
      chunk({}, FINISH[said.finish]),
      ...('usage' in usage ? [data({ ...head(said, 'chat.completion.chunk'), choices: [], ...usage })] : []),
      'data: [DONE]\n',
    ];
  },
  error: openaiError,
};

const FINISH = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
} as const;

function head({ id, model }: Said, object: string) {
  return { id, object, created: 0, model };
}

function call({ id, name, input }: Said['toolCalls'][number]) {
  return { id, type: 'function', function: { name, arguments: input } };
}

function usageOf({ usage, cost }: Said) {
  if (usage === undefined) return {};
  const { input, output, cacheRead, reasoning } = usage;
  return {
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cacheRead },
      completion_tokens_details: { reasoning_tokens: reasoning },
      ...given({ cost }),
    },
  };
}
