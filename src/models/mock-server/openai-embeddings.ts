import type { JsonValue } from '../../lib/json.ts';
import { sha256 } from '../../lib/digest.ts';
import { openaiError, valueOf, type Protocol } from './protocol.ts';

/** `POST /embeddings`. The reply is a list of vectors as `json`; without one, texts that share words are similar. */
export const openaiEmbeddings: Protocol = {
  name: 'openai-embeddings',
  read: ({ model, input }) => ({
    model: String(model),
    messages: [input].flat().map((text) => ({ role: 'user', text: String(text) })),
    toolResults: 0,
    allToolResults: 0,
    offersTools: false,
    isStreamed: false,
  }),
  whole({ model, text, usage }, { messages }) {
    const scripted = valueOf(text);
    const vectors = Array.isArray(scripted) ? scripted : messages.map((each) => wordCounts(each.text));
    return {
      object: 'list',
      model,
      data: vectors.map((embedding: JsonValue, index) => ({ object: 'embedding', index, embedding })),
      ...(usage === undefined ? {} : { usage: { prompt_tokens: usage.input, total_tokens: usage.input } }),
    };
  },
  frames: () => [],
  error: openaiError,
};

const DIMENSIONS = 64;

function wordCounts(text: string): readonly number[] {
  const counts = Array.from({ length: DIMENSIONS }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const place = Number.parseInt(sha256(word).slice(0, 8), 16) % DIMENSIONS;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}
