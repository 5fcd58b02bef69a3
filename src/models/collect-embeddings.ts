import type { EmbeddingModelV4 } from '@ai-sdk/provider';

import type { Generated } from './collect-stream.ts';

/** Asks for the embeddings of all texts, in as many requests as the model needs. Rejects with the provider's error. */
export async function collectEmbeddings(
  model: EmbeddingModelV4,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Generated> {
  const most = Math.max(1, Math.min((await model.maxEmbeddingsPerCall) ?? texts.length, texts.length));
  const embeddings: (readonly number[])[] = [];
  const warnings: Generated['warnings'] = [];
  let tokens: number | undefined = 0;
  for (let start = 0; start < texts.length; start += most) {
    const values = texts.slice(start, start + most);
    const result = await model.doEmbed({ values, abortSignal: signal });
    embeddings.push(...result.embeddings);
    warnings.push(...(result.warnings ?? []));
    tokens = tokens === undefined || result.usage === undefined ? undefined : tokens + result.usage.tokens;
  }
  return {
    content: [],
    embeddings,
    warnings,
    finishReason: { unified: 'stop', raw: undefined },
    usage: {
      inputTokens: { total: tokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 0, text: undefined, reasoning: undefined },
    },
  };
}
