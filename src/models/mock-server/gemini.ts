import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import {
  data,
  offersTools,
  pieces,
  textIn,
  toolResultCounts,
  valueOf,
  type JsonRecord,
  type Protocol,
  type Said,
} from './protocol.ts';

/** `POST /models/{model}:generateContent` and `:streamGenerateContent` */
export const gemini: Protocol = {
  name: 'gemini',
  read(body, path) {
    const contents = (body['contents'] ?? []) as readonly JsonRecord[];
    const settings = body['generationConfig'] as
      | { responseMimeType?: string; responseSchema?: unknown; responseJsonSchema?: unknown }
      | undefined;
    const system =
      body['systemInstruction'] === undefined
        ? []
        : [{ role: 'system', text: textIn(body['systemInstruction']) }];
    return {
      model: decodeURIComponent(/models\/([^:]+):/.exec(path)?.[1] ?? ''),
      messages: [
        ...system,
        ...contents.map((content) => ({ role: roleOf(content), text: textIn(content['parts']) })),
      ],
      ...toolResultCounts(contents, resultsIn),
      offersTools: offersTools(body),
      ...(settings?.responseMimeType === 'application/json'
        ? { schema: settings.responseJsonSchema ?? settings.responseSchema ?? {} }
        : {}),
      isStreamed: path.includes(':streamGenerateContent'),
    };
  },
  whole: (said) => chunk(said, parts(said), FINISH[said.finish]),
  frames(said) {
    const part = (content: JsonObject) => data(chunk({ ...said, usage: undefined }, [content]));
    const calls = parts({ ...said, text: '', thinking: '' });
    return [
      ...pieces(said.thinking).map((text) => part({ text, thought: true })),
      ...pieces(said.text).map((text) => part({ text })),
      data(chunk(said, calls.length === 0 ? [{ text: '' }] : calls, FINISH[said.finish])),
    ];
  },
  error: (status, message) => ({ error: { code: status, message, status: STATUSES[status] ?? 'INTERNAL' } }),
};

const FINISH = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'SAFETY',
  'tool-calls': 'STOP',
} as const;

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

/** Results of tools are messages of the user. */
function roleOf(content: JsonRecord): string {
  return resultsIn(content) > 0 ? 'tool' : String(content['role'] ?? 'user');
}

function resultsIn({ parts: all }: JsonRecord): number {
  return Array.isArray(all) ? all.filter((part: JsonRecord) => 'functionResponse' in part).length : 0;
}

function parts({ text, thinking, toolCalls }: Said): JsonObject[] {
  return [
    ...(thinking === '' ? [] : [{ text: thinking, thought: true }]),
    ...(text === '' ? [] : [{ text }]),
    ...toolCalls.map(({ id, name, input }) => ({ functionCall: { id, name, args: valueOf(input) } })),
  ];
}

function chunk({ id, model, usage }: Said, content: JsonObject[], finishReason?: string): JsonObject {
  return {
    responseId: id,
    modelVersion: model,
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts: content },
        ...given({ finishReason }),
      },
    ],
    ...(usage === undefined
      ? {}
      : {
          usageMetadata: {
            promptTokenCount: usage.input,
            candidatesTokenCount: usage.output - usage.reasoning,
            thoughtsTokenCount: usage.reasoning,
            cachedContentTokenCount: usage.cacheRead,
            totalTokenCount: usage.input + usage.output,
          },
        }),
  };
}
