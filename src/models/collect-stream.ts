import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';

/** The used parts of a result, from a single response or a stream. */
export type Generated = Pick<
  LanguageModelV4GenerateResult,
  'content' | 'finishReason' | 'usage' | 'warnings' | 'structuredOutputText'
> & {
  readonly modelId?: string | undefined;
  readonly embeddings?: readonly (readonly number[])[];
};

/** Combines a streamed answer. Rejects with an error in the stream, or when the stream ends early. */
export async function collectStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  pulse: () => void,
): Promise<Generated> {
  const content: LanguageModelV4Content[] = [];
  const open = new Map<string, { text: string; providerMetadata?: unknown }>();
  let modelId: string | undefined;
  let warnings: Generated['warnings'] = [];
  let end: Pick<Generated, 'finishReason' | 'usage'> | undefined;
  for await (const part of stream as unknown as AsyncIterable<LanguageModelV4StreamPart>) {
    pulse();
    if (part.type === 'error') throw part.error;
    if (part.type === 'stream-start') warnings = part.warnings;
    else if (part.type === 'response-metadata') modelId = part.modelId ?? modelId;
    else if (part.type === 'finish') end = part;
    else if (part.type === 'tool-call') content.push(part);
    else collectText(part, { open, content });
  }
  if (end === undefined) throw new Error('the stream ended before the answer was complete');
  return { content, warnings, modelId, finishReason: end.finishReason, usage: end.usage };
}

interface Collected {
  readonly open: Map<string, { text: string; providerMetadata?: unknown }>;
  readonly content: LanguageModelV4Content[];
}

/** Texts and reasoning come as start, pieces and end, several of them interleaved. */
function collectText(part: LanguageModelV4StreamPart, { open, content }: Collected): void {
  const match = /^(text|reasoning)-(start|delta|end)$/.exec(part.type);
  if (match === null || !('id' in part)) return;
  const key = `${match[1]} ${part.id}`;
  const metadata = 'providerMetadata' in part ? part.providerMetadata : undefined;
  const block = open.get(key) ?? { text: '' };
  if ('delta' in part) block.text += part.delta;
  if (metadata !== undefined) block.providerMetadata = metadata;
  if (match[2] !== 'end') {
    open.set(key, block);
    return;
  }
  open.delete(key);
  content.push({ type: match[1], ...block } as LanguageModelV4Content);
}
