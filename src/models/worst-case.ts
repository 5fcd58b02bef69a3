import type { ModelMessage, ModelRequest } from '../core/model.ts';
import type { Price } from '../core/price.ts';

/** Tokens of one request and its answer. */
export interface BilledTokens {
  readonly input: number;
  readonly output: number;
}

/** The maximum billed for one request. `contextTokens`: the context size of the model, if it is known. */
export function mostTokensOf(
  request: Pick<ModelRequest, 'messages' | 'embed' | 'tools' | 'schema' | 'maxOutputTokens'>,
  contextTokens: number | undefined,
): BilledTokens {
  const { messages, embed, tools, schema, maxOutputTokens } = request;
  if (embed !== undefined) return { input: bytesOf(embed), output: 0 };
  // A token has at least one byte, and JSON syntax is longer than what most providers add between messages.
  const input =
    messages.reduce((sum, message) => sum + mostTokens(message), 0) + bytesOf(tools) + bytesOf(schema);
  return { input, output: maxOutputTokens ?? contextTokens ?? UNKNOWN_CONTEXT_TOKENS };
}

/** Cost of this many tokens in USD at the highest input price. */
export function worstCaseUsd({ input, output }: BilledTokens, price: Price): number {
  const inputPrice = Math.max(price.input, price.cacheRead ?? 0, price.cacheWrite ?? 0);
  return (input * inputPrice + output * price.output) / 1e6;
}

/** The assumed output limit of a model without a limit of its own. */
const UNKNOWN_CONTEXT_TOKENS = 128_000;

/** Providers scale an image down, so its bytes do not show its tokens. */
const IMAGE_TOKENS = 50_000;

function mostTokens(message: ModelMessage): number {
  if (message.role !== 'user') return bytesOf(message);
  const { parts } = message;
  return parts.reduce((sum, part) => sum + ('text' in part ? bytesOf(part) : IMAGE_TOKENS), bytesOf('user'));
}

function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}
